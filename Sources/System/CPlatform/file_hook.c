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
#include <sys/un.h>

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

/// Defines a function that opens a path in a folder.
#define OPEN(function, parameters, folder) \
  int function parameters { \
    va_list arguments; \
    va_start(arguments, flags); \
    int file = open_file(folder, path, flags, arguments); \
    va_end(arguments); \
    return file; \
  }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)

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

char *mkdtemp(char *path) { return refuses(path, true, false, NULL) ? NULL : REPLACED(mkdtemp)(path); }

static bool is_there(int folder, const char *name) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Whether the device refuses to create a file with a name (`exists` is false), or to change or remove the file with the name. A
/// call that fails anyway, such as the removal of a missing file, keeps its error.
static bool refuses_change(int folder, const char *name, bool exists, char *protection) {
  char buffer[PATH_MAX];
  return is_there(folder, name) == exists && refuses(full_path(folder, name, buffer), true, false, protection);
}

/// Defines a function that creates, changes or removes the file with a name in a folder. It calls the system directly.
#define CHANGE(function, parameters, folder, name, exists, ...) \
  int function parameters { return refuses_change(folder, name, exists, NULL) ? -1 : (int)syscall(__VA_ARGS__); }

CHANGE(unlinkat, (int folder, const char *path, int flags), folder, path, true, SYS_unlinkat, folder, path, flags)
CHANGE(unlink, (const char *path), AT_FDCWD, path, true, SYS_unlinkat, AT_FDCWD, path, 0)
CHANGE(rmdir, (const char *path), AT_FDCWD, path, true, SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)
CHANGE(truncate, (const char *path, off_t size), AT_FDCWD, path, true, SYS_truncate, path, size)
CHANGE(chmod, (const char *path, mode_t mode), AT_FDCWD, path, true, SYS_fchmodat, AT_FDCWD, path, mode)
CHANGE(symlink, (const char *target, const char *path), AT_FDCWD, path, false, SYS_symlinkat, target, AT_FDCWD, path)
CHANGE(link, (const char *old, const char *path), AT_FDCWD, path, false, SYS_linkat, AT_FDCWD, old, AT_FDCWD, path, 0)

int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

int mkdirat(int folder, const char *name, mode_t mode) {
  char protection = 0, buffer[PATH_MAX];
  if (refuses_change(folder, name, false, &protection)) { return -1; }
  int result = (int)syscall(SYS_mkdirat, folder, name, mode);
  if (result == 0) { protect(full_path(folder, name, buffer), protection); }
  return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int renameat2(int folder, const char *name, int new_folder, const char *new_name, unsigned flags) {
  char path[PATH_MAX], new_path[PATH_MAX];
  if (is_there(folder, name) && (refuses(full_path(folder, name, path), true, false, NULL)
      || refuses(full_path(new_folder, new_name, new_path), true, false, NULL))) { return -1; }
  return (int)syscall(SYS_renameat2, folder, name, new_folder, new_name, flags);
}

int renameat(int folder, const char *name, int new_folder, const char *new_name) {
  return renameat2(folder, name, new_folder, new_name, 0);
}

int rename(const char *path, const char *new_path) { return renameat2(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

/// A local socket with a path is a file too.
int bind(int socket, __CONST_SOCKADDR_ARG address, socklen_t length) {
  const struct sockaddr_un *local = address.__sockaddr_un__;
  size_t start = offsetof(struct sockaddr_un, sun_path);
  char path[sizeof local->sun_path + 1] = "";
  bool is_local = length > start && length <= sizeof *local && local->sun_family == AF_UNIX;
  if (is_local) { memcpy(path, local->sun_path, length - start); }
  if (path[0] != 0 && refuses_change(AT_FDCWD, path, false, NULL)) { return -1; }
  return (int)syscall(SYS_bind, socket, local, length);
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
int truncate64(const char *path, off_t size) __attribute__((alias("truncate")));

// Names of semaphores and shared memory.

/// Writes the name that a semaphore or shared memory has on Linux into `copy`. Returns 0, or the error that a device gives. A program
/// without an emulated device does not have this function.
__attribute__((weak)) int emulated_name(const char *name, char *copy, size_t size);

/// Returns the name on Linux, for which `copy` has room; `NULL` if the name is refused.
static const char *linux_name(const char *name, char copy[NAME_MAX]) {
  if (emulated_name == NULL) { return name; }
  int error = emulated_name(name, copy, NAME_MAX);
  if (error != 0) { errno = error; }
  return error == 0 ? copy : NULL;
}

sem_t *sem_open(const char *name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  char copy[NAME_MAX];
  name = linux_name(name, copy);
  return name == NULL ? SEM_FAILED : REPLACED(sem_open)(name, flags, mode, value);
}

/// Defines a function that uses a name.
#define NAMED(function, parameters, ...) \
  int function parameters { \
    char copy[NAME_MAX]; \
    name = linux_name(name, copy); \
    return name == NULL ? -1 : REPLACED(function)(__VA_ARGS__); \
  }

NAMED(sem_unlink, (const char *name), name)
NAMED(shm_open, (const char *name, int flags, mode_t mode), name, flags, mode)
NAMED(shm_unlink, (const char *name), name)
