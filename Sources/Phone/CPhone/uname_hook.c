#include "CPhone.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(uname_hook) hook = NULL;

// SYNC: release here, acquire in `uname`: a hook that is called finds what was written before it was set.
void uname_set_hook(uname_hook new_hook) { atomic_store_explicit(&hook, new_hook, memory_order_release); }

// The program's own symbol takes the place of the C library's. Foundation's ProcessInfo asks it for the version of the system.
int uname(struct utsname *name) {
  long result = syscall(SYS_uname, name);
  uname_hook current = atomic_load_explicit(&hook, memory_order_acquire);
  if (result == 0 && current != NULL) { current(name->release, sizeof name->release); }
  return (int)result;
}
