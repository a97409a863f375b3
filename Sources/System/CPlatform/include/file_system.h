#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What kind of file system a path is on. C, because Swift's module of the C library leaves `statfs` out, and
/// `statvfs`, which it has, does not tell the kind.
struct file_system {
    /// The number of its kind, as in `linux/magic.h`.
    uint32_t kind;
    /// The bytes an ordinary user may still take.
    uint64_t free_bytes;
    /// Whether another file can be made.
    bool takes_files;
    /// Whether nothing can be written there.
    bool is_read_only;
};

/// Fills `answer` for the file system of `path`. Returns 0, or -1 and `errno`.
int file_system_look(const char *path, struct file_system *answer);
