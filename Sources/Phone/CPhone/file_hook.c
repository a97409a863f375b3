#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// These symbols of the program replace the C library's, and fail if the emulated device refuses the write. Calls within the C
// library do not use them.

/// Returns 0 if the emulated device permits writing to a path, otherwise the device's error number. Programs without an emulated
/// device do not contain this function.
__attribute__((weak)) int emulated_write(const char *path);

static bool refuses_write(const char *path) {
  int previous = errno;
  int error = emulated_write != NULL ? emulated_write(path) : 0;
  errno = error != 0 ? error : previous;
  return error != 0;
}

static int open_file(int folder, const char *path, int flags, va_list arguments) {
  bool creates = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = creates ? va_arg(arguments, mode_t) : 0;
  bool writes = creates || (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
  // A path relative to an open folder is not checked, because its full path is not known here.
  bool is_known = folder == AT_FDCWD || path[0] == '/';
  if (writes && is_known && refuses_write(path)) { return -1; }
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int file = open_file(AT_FDCWD, path, flags, arguments);
  va_end(arguments);
  return file;
}

int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int file = open_file(folder, path, flags, arguments);
  va_end(arguments);
  return file;
}

FILE *fopen(const char *path, const char *mode) {
  __typeof__(&fopen) original = (__typeof__(&fopen))dlsym(RTLD_NEXT, "fopen");
  return strpbrk(mode, "wa+") != NULL && refuses_write(path) ? NULL : original(path, mode);
}

int mkdir(const char *path, mode_t mode) {
  return refuses_write(path) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int rename(const char *path, const char *new_path) {
  if (refuses_write(path) || refuses_write(new_path)) { return -1; }
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

// The names of these functions for large files.
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));
FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));
