#include "COSLog.h"
