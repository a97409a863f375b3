#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

// The program's own symbols take the place of the C library's.

/// Writes the name that a semaphore or shared memory has on Linux into `copy`. Returns 0, or the error that a device gives. A program
/// without an emulated device does not have this function.
__attribute__((weak)) int emulated_name(const char *name, char *copy, size_t size);

/// The C library's function that is replaced here.
#define REPLACED(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

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
