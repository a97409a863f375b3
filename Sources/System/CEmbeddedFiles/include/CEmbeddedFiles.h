#ifndef C_EMBEDDED_FILES_H
#define C_EMBEDDED_FILES_H

#include <stddef.h>
#include <stdint.h>

// #embed is part of C23; clang supports it in older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// A text file that clang's `#embed` has put into the program.
typedef struct {
  /// The path in the folder of the file's target.
  const char *path;
  /// The bytes of the file, terminated by a zero.
  const uint8_t *text;
} embedded_file;

#endif
