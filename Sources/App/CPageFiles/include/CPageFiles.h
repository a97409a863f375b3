#ifndef CPAGEFILES_H
#define CPAGEFILES_H

#include "CEmbeddedFiles.h"

/// Returns the table of the files. It ends with an entry without a name.
const embedded_file *page_files(void);

#endif
