#ifndef CSCENARIOFILES_H
#define CSCENARIOFILES_H

#include "CEmbeddedFiles.h"

/// Returns the table of the files. It ends with an entry without a name.
const embedded_file *scenario_files(void);

#endif
