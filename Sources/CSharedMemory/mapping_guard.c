#include "CSharedMemory.h"
