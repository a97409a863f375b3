#include <stddef.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/// Writes the version of the emulated device's system over `release`, which has room for `size` bytes. A program without an
/// emulated device does not have this function.
__attribute__((weak)) void emulated_release(char *release, size_t size);

// The program's own symbol takes the place of the C library's. Foundation's ProcessInfo asks it for the version of the system.
int uname(struct utsname *name) {
  long result = syscall(SYS_uname, name);
  if (result == 0 && emulated_release != NULL) emulated_release(name->release, sizeof name->release);
  return (int)result;
}
