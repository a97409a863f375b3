#ifndef C_EMBEDDED_FILES_H
#define C_EMBEDDED_FILES_H

#include <stddef.h>
#include <stdint.h>

// #embed is of C23, and clang has it for older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// A text file that clang's `#embed` has put into the program.
typedef struct {
  /// Its path in the folder of its target.
  const char *path;
  /// Its bytes, and a zero.
  const uint8_t *text;
} embedded_file;

#endif
