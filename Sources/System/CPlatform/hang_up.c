#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// If a descriptor reports EPOLLHUP, libdispatch for Linux (6.3) unregisters its source on the queue of the source. That frees an
// entry that the thread of libdispatch still reads, so the process crashes once in many thousand hang-ups. Libdispatch also
// ignores an EPOLLERR without EPOLLIN, and polls again at once. On an iPhone, Dispatch reports a descriptor that hung up as ready
// until the source is cancelled. These symbols of the program replace the C library's, and do the same. Other users of epoll see
// no difference.

/// The flag that only libdispatch sets for its descriptors.
enum { DISPATCH_FLAG = 0x4000 };

/// The epoll descriptor of libdispatch.
static _Atomic int dispatch_epoll = -1;

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  if (event != NULL && event->events & DISPATCH_FLAG) {
    // SYNC: relaxed, because the same thread calls `epoll_wait` for this descriptor, and no other memory goes with it.
    atomic_store_explicit(&dispatch_epoll, epoll, memory_order_relaxed);
  }
  return (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int limit, int timeout) {
  const uint32_t ended = EPOLLHUP | EPOLLERR;
  int count = (int)syscall(SYS_epoll_pwait, epoll, events, limit, timeout, NULL, 0);
  if (epoll != atomic_load_explicit(&dispatch_epoll, memory_order_relaxed)) { return count; }
  for (int index = 0; index < count; index += 1) {
    struct epoll_event *event = &events[index];
    if (event->events & ended) { event->events = (event->events & ~ended) | EPOLLIN | EPOLLOUT; }
  }
  return count;
}
