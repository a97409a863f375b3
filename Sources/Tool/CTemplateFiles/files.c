#include "CTemplateFiles.h"

// #embed is of C23, and clang has it for older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t AppSocket_txt[] = {
#embed "Templates/AppSocket.txt"
};
static const uint8_t github_actions_yml[] = {
#embed "Templates/github-actions.yml"
};

static const embedded_file files[] = {
    EMBEDDED_FILE("AppSocket.txt", AppSocket_txt),
    EMBEDDED_FILE("github-actions.yml", github_actions_yml),
    {NULL, NULL, 0},
};

const embedded_file *template_files(void) { return files; }
