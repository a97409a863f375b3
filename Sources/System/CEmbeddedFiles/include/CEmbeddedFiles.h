#ifndef C_EMBEDDED_FILES_H
#define C_EMBEDDED_FILES_H

#include <stddef.h>
#include <stdint.h>

/// A file that clang's `#embed` has put into the program.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} embedded_file;

#define EMBEDDED_FILE(name, bytes) {name, bytes, sizeof bytes}

#endif
