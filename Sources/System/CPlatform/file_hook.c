#define _GNU_SOURCE
#include "CPlatform.h"

#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

// The program's symbols take the place of the C library's, and refuse what the emulated device refuses. The library's functions do
// not call them.

/// Returns 0 if the emulated device permits the use of a path, else its error. A call that may create a file gets the protection class
/// of a new file in `protection`. A program without an emulated device does not have this function.
__attribute__((weak)) int emulated_open(const char *path, bool writes, bool opens, char *protection);

/// The C library's function that is replaced here.
#define REPLACED(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static bool refuses(const char *path, bool writes, bool opens, char *protection) {
  int previous = errno;
  int error = emulated_open != NULL ? emulated_open(path, writes, opens, protection) : 0;
  errno = error != 0 ? error : previous;
  return error != 0;
}

/// The path of a name in an open folder.
static const char *full_path(int folder, const char *name, char path[PATH_MAX]) {
  if (folder == AT_FDCWD || name[0] == '/') { return name; }
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) { return name; }
  snprintf(path + length, (size_t)(PATH_MAX - length), "/%s", name);
  return path;
}

static void protect(const char *path, char protection) {
  int previous = errno;
  if (protection != 0) { (void)set_file_protection(path, protection); }
  errno = previous;
}

static int open_file(int folder, const char *name, int flags, va_list arguments) {
  bool creates = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = creates ? va_arg(arguments, mode_t) : 0;
  bool writes = creates || (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
  char buffer[PATH_MAX];
  const char *path = full_path(folder, name, buffer);
  char protection = 0;
  if (refuses(path, writes, true, creates ? &protection : NULL)) { return -1; }
  int file = (int)syscall(SYS_openat, folder, name, flags, mode);
  if (file >= 0) { protect(path, protection); }
  return file;
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

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

FILE *fopen(const char *path, const char *mode) {
  bool writes = strpbrk(mode, "wa+") != NULL, creates = mode[0] != 'r';
  char protection = 0;
  if (refuses(path, writes, true, creates ? &protection : NULL)) { return NULL; }
  FILE *file = REPLACED(fopen)(path, mode);
  if (file != NULL) { protect(path, protection); }
  return file;
}

int mkostemp(char *path, int flags) {
  char protection = 0;
  if (refuses(path, true, true, &protection)) { return -1; }
  int file = REPLACED(mkostemp)(path, flags);
  if (file >= 0) { protect(path, protection); }
  return file;
}

int mkstemp(char *path) { return mkostemp(path, 0); }

int mkdir(const char *path, mode_t mode) {
  char protection = 0;
  if (refuses(path, true, false, &protection)) { return -1; }
  int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (result == 0) { protect(path, protection); }
  return result;
}

char *mkdtemp(char *path) { return refuses(path, true, false, NULL) ? NULL : REPLACED(mkdtemp)(path); }

int rename(const char *path, const char *new_path) {
  if (refuses(path, true, false, NULL) || refuses(new_path, true, false, NULL)) { return -1; }
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

int open_sealed_file(void) {
  int file = memfd_create("protected", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) { return -1; }
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  int sealed = fcntl(file, F_ADD_SEALS, F_SEAL_WRITE) == 0 ? open_directly(path, O_WRONLY | O_CLOEXEC, 0) : -1;
  close(file);
  return sealed;
}

// The names of these functions for large files.
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));
int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));
FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));
int mkstemp64(char *path) __attribute__((alias("mkstemp")));

// Names of semaphores and shared memory.

/// Writes the name that a semaphore or shared memory has on Linux into `copy`. Returns 0, or the error that a device gives. A program
/// without an emulated device does not have this function.
__attribute__((weak)) int emulated_name(const char *name, char *copy, size_t size);

/// Whether the name is refused. Otherwise `copy` has the name on Linux.
static bool refuses_name(const char *name, char copy[NAME_MAX]) {
  int error = 0;
  if (emulated_name != NULL) {
    error = emulated_name(name, copy, NAME_MAX);
  } else if (snprintf(copy, NAME_MAX, "%s", name) >= NAME_MAX) {
    error = ENAMETOOLONG;
  }
  if (error != 0) { errno = error; }
  return error != 0;
}

sem_t *sem_open(const char *name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  char copy[NAME_MAX];
  return refuses_name(name, copy) ? SEM_FAILED : REPLACED(sem_open)(copy, flags, mode, value);
}

int sem_unlink(const char *name) {
  char copy[NAME_MAX];
  return refuses_name(name, copy) ? -1 : REPLACED(sem_unlink)(copy);
}

int shm_open(const char *name, int flags, mode_t mode) {
  char copy[NAME_MAX];
  return refuses_name(name, copy) ? -1 : REPLACED(shm_open)(copy, flags, mode);
}

int shm_unlink(const char *name) {
  char copy[NAME_MAX];
  return refuses_name(name, copy) ? -1 : REPLACED(shm_unlink)(copy);
}
