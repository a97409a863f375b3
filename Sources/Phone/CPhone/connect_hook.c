#include "CPhone.h"

#include "CPlatform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(connect_hook) hook = NULL;

// SYNC: release here, acquire in `connect`: a hook that is called finds what was written before it was set.
void connect_set_hook(connect_hook new_hook) { atomic_store_explicit(&hook, new_hook, memory_order_release); }

// This symbol of the program replaces the C library's.
int connect(int socket, const struct sockaddr *address, socklen_t length) {
  connect_hook current = atomic_load_explicit(&hook, memory_order_acquire);
  int result = current == NULL ? CONNECT_DIRECTLY : current(socket, address, length);
  if (result == CONNECT_DIRECTLY) { return connect_directly(socket, address, length); }
  if (result == 0) { return 0; }
  errno = result;
  return -1;
}
