#ifndef CCAPTURESCENARIOFILES_H
#define CCAPTURESCENARIOFILES_H

#include "CEmbeddedFiles.h"

/// The files, of which the last has no name.
const embedded_file *capture_scenario_files(void);

#endif
