#ifndef CPAGEFILES_H
#define CPAGEFILES_H

#include "CEmbeddedFiles.h"

/// The files, of which the last has no name.
const embedded_file *page_files(void);

#endif
