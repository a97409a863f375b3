#ifdef FILE_NAME
// The entry of one file in the table below. This source file includes itself once for each file.
{FILE_NAME, (const uint8_t[]){
#embed FILE_NAME suffix(, 0)
}},
#undef FILE_NAME
#else
#include "CPageFiles.h"

static const embedded_file files[] = {
#define FILE_NAME "Page/actions.js"
#include "files.c"
#define FILE_NAME "Page/base.js"
#include "files.c"
#define FILE_NAME "Page/figures.js"
#include "files.c"
#define FILE_NAME "Page/film.js"
#include "files.c"
#define FILE_NAME "Page/picture.js"
#include "files.c"
#define FILE_NAME "Page/player.css"
#include "files.c"
#define FILE_NAME "Page/player.html"
#include "files.c"
#define FILE_NAME "Page/player.js"
#include "files.c"
#define FILE_NAME "Page/run.js"
#include "files.c"
#define FILE_NAME "Call/burn-in.js"
#include "files.c"
#define FILE_NAME "Call/call-plots.js"
#include "files.c"
#define FILE_NAME "Call/call.js"
#include "files.c"
#define FILE_NAME "Call/calls.js"
#include "files.c"
#define FILE_NAME "Call/far-end.html"
#include "files.c"
#define FILE_NAME "Call/far-end.js"
#include "files.c"
#define FILE_NAME "Call/receiver.js"
#include "files.c"
#define FILE_NAME "Call/signals.js"
#include "files.c"
    {NULL, NULL},
};

const embedded_file *page_files(void) { return files; }
#endif
