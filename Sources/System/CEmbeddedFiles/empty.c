#include "CEmbeddedFiles.h"
