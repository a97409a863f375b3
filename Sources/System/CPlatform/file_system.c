#include "file_system.h"

#include <sys/statfs.h>
#include <sys/statvfs.h>

int file_system_look(const char *path, struct file_system *answer) {
    struct statfs status;
    if (statfs(path, &status) != 0) return -1;
    answer->kind = (uint32_t)status.f_type;
    if (__builtin_mul_overflow((uint64_t)status.f_bavail, (uint64_t)status.f_bsize, &answer->free_bytes)) {
        answer->free_bytes = UINT64_MAX;
    }
    // Types without a limit of files report 0 of 0.
    answer->takes_files = status.f_files == 0 || status.f_ffree > 0;
    answer->is_read_only = (status.f_flags & ST_RDONLY) != 0;
    return 0;
}
