#ifndef CSCENARIOFILES_H
#define CSCENARIOFILES_H

#include "CEmbeddedFiles.h"

/// The files, of which the last has no name.
const embedded_file *scenario_files(void);

#endif
