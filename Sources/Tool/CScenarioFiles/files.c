#ifdef FILE_NAME
// The entry of one file in the table below. This source file includes itself once for each file.
{FILE_NAME, (const uint8_t[]){
#embed FILE_NAME suffix(, 0)
}},
#undef FILE_NAME
#else
#include "CScenarioFiles.h"

static const embedded_file files[] = {
#define FILE_NAME "Scenarios/captures.jsonl"
#include "files.c"
#define FILE_NAME "Scenarios/extension.jsonl"
#include "files.c"
    {NULL, NULL},
};

const embedded_file *scenario_files(void) { return files; }
#endif
