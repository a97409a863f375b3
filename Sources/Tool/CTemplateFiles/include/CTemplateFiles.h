#ifndef CTEMPLATEFILES_H
#define CTEMPLATEFILES_H

#include "CEmbeddedFiles.h"

/// Returns the table of the files. It ends with an entry without a name.
const embedded_file *template_files(void);

#endif
