#include "CPhone.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic(broken_pipe_hook) hook = NULL;

// SYNC: release here, acquire in `checked`: a hook that is called finds what was written before it was set.
void broken_pipe_set_hook(broken_pipe_hook new_hook) { atomic_store_explicit(&hook, new_hook, memory_order_release); }

/// Calls the hook if a call has failed because of a broken pipe, and returns the result of the call.
static ssize_t checked(ssize_t result, int descriptor) {
  if (result >= 0 || errno != EPIPE) { return result; }
  broken_pipe_hook current = atomic_load_explicit(&hook, memory_order_acquire);
  if (current != NULL) { current(descriptor); }
  errno = EPIPE;
  return result;
}

// These symbols of the program replace the C library's. A call with MSG_NOSIGNAL, as by the emulator, requests that no signal is
// sent.
ssize_t write(int descriptor, const void *bytes, size_t count) {
  return checked(syscall(SYS_write, descriptor, bytes, count), descriptor);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return checked(syscall(SYS_writev, descriptor, parts, count), descriptor);
}

ssize_t sendto(
    int socket, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length
) {
  ssize_t result = syscall(SYS_sendto, socket, bytes, count, flags, address, length);
  return flags & MSG_NOSIGNAL ? result : checked(result, socket);
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  return sendto(socket, bytes, count, flags, NULL, 0);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  ssize_t result = syscall(SYS_sendmsg, socket, message, flags);
  return flags & MSG_NOSIGNAL ? result : checked(result, socket);
}
