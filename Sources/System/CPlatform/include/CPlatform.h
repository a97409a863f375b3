#pragma once

#include "access_guard.h"
#include "file_system.h"
#include "guard_errors.h"
#include "mapping_guard.h"
#include "shared_wait.h"
