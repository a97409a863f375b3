#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The type of a file system and its free space. C, because Swift's module of the C library omits `statfs`, and `statvfs`
/// lacks the type.
struct file_system {
    /// The number of its type, as in `linux/magic.h`.
    uint32_t kind;
    /// The bytes that an ordinary user can still write.
    uint64_t free_bytes;
    /// Whether another file can be created.
    bool takes_files;
    /// Whether it is mounted read-only.
    bool is_read_only;
};

/// Fills `answer` for the file system of `path`. Returns 0, or -1 and `errno`.
int file_system_look(const char *path, struct file_system *answer);
