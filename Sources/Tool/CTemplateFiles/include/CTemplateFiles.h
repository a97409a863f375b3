#ifndef CTEMPLATEFILES_H
#define CTEMPLATEFILES_H

#include "CEmbeddedFiles.h"

/// The files, of which the last has no name.
const embedded_file *template_files(void);

#endif
