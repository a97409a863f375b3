#pragma once

#include "memory_guard.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// System calls that Swift cannot make, because it does not import variadic functions.

// A futex, not of the private kind, because the word lies in a file that several processes have mapped. Apple's platforms have
// `os_sync_wait_on_address` and `os_sync_wake_by_address_all` for this. The kernel compares the first four bytes of the word,
// which on a little-endian machine are its low 32 bits.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first half of the word must be the low one");

/// Sleeps while the low 32 bits of `word` equal `expected`, until woken or until `deadline` (nanoseconds of the monotonic clock).
/// May return early, so the caller has to check the word again. The memory may be mapped read-only.
static inline void shared_wait(const uint64_t *word, uint32_t expected, uint64_t deadline) {
  const uint64_t second = 1000000000;
  struct timespec limit = {.tv_sec = (time_t)(deadline / second), .tv_nsec = (long)(deadline % second)};
  // The bitset form has an absolute deadline on the monotonic clock.
  (void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected, &limit, NULL, FUTEX_BITSET_MATCH_ANY);
}

/// Wakes all threads that sleep on `word`, in any process.
static inline void shared_wake(const uint64_t *word) {
  (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/// Sets the timer slack of the calling thread to the minimum, so that its sleeps end close to their deadlines.
static inline void thread_sleeps_precisely(void) { (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); }

// A CPU set is an array of bits in the kernel's layout. The C library's `cpu_set_t` would need `_GNU_SOURCE`.
enum { PROCESSOR_SET_WORDS = 16 };

/// Gets the set of CPUs on which the calling thread may run. Returns whether the call succeeded.
static inline int thread_processors(uint64_t set[PROCESSOR_SET_WORDS]) {
  return syscall(SYS_sched_getaffinity, 0, PROCESSOR_SET_WORDS * sizeof *set, set) >= 0;
}

/// Restricts the calling thread, and the threads it creates, to a CPU set. Returns 0, or -1 and `errno`.
static inline int thread_restrict(const uint64_t set[PROCESSOR_SET_WORDS]) {
  return (int)syscall(SYS_sched_setaffinity, 0, PROCESSOR_SET_WORDS * sizeof *set, set);
}

/// Returns the next connection of a listening socket, or -1 and `errno`. Wraps `accept4(2)`: a child process that another thread
/// launches cannot inherit the connection, as it could between `accept` and `fcntl`.
static inline int accept_connection(int socket) {
  return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC);
}

/// Wraps `connect(2)`, even in a program that interposes the C library's `connect`.
static inline int connect_directly(int socket, const struct sockaddr *address, socklen_t length) {
  return (int)syscall(SYS_connect, socket, address, length);
}

/// Wraps `open(2)`, even where the emulated device refuses to write.
static inline int open_directly(const char *path, int flags, unsigned mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/// Wraps `unlink(2)`, even where the emulated device refuses to remove.
static inline int remove_directly(const char *path) { return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }

/// The protection class of a file, as Apple's letter: A is complete, B is complete unless open. 0 if the file has no class.
static inline char file_protection(const char *path) {
  char protection = 0;
  return getxattr(path, "user.NSFileProtectionKey", &protection, 1) == 1 ? protection : 0;
}

/// Sets the protection class of a file. Returns 0, or -1 and `errno` (such as ENOTSUP for a tmpfs before Linux 6.6).
static inline int set_file_protection(const char *path, char protection) {
  return setxattr(path, "user.NSFileProtectionKey", &protection, 1, 0);
}

/// Opens an empty file: writing it fails with EPERM, reading it with EBADF. Returns -1 and `errno` on failure.
int open_sealed_file(void);

/// Whether this process ignores a signal. For example, a process that `nohup` started ignores SIGHUP.
static inline int is_signal_ignored(int number) {
  struct sigaction action;
  return sigaction(number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Makes a write to a pipe or socket without a reader fail with EPIPE instead of killing this process by SIGPIPE.
void ignore_broken_pipes(void);

/// Whether the action of SIGPIPE is still the handler of `ignore_broken_pipes`.
int are_broken_pipes_ignored(void);

/// Makes stdout line-buffered, even if it is a pipe or a file. Wraps `setvbuf(3)`.
static inline void buffer_output_by_line(void) { (void)setvbuf(stdout, NULL, _IOLBF, 0); }

/// Returns a descriptor for a process, or -1 and `errno`. Wraps `pidfd_open(2)`.
static inline int process_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Allows every process of this user to trace this process, even if Yama restricts that to ancestors. Wraps `prctl(2)`.
static inline void allow_tracing(void) { (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

/// Duplicates a descriptor of another process that this process may trace. Returns -1 and `errno` on failure. Wraps
/// `pidfd_getfd(2)`.
static inline int process_descriptor(int process, int descriptor) {
  return (int)syscall(SYS_pidfd_getfd, process, descriptor, 0);
}

/// Gives freed blocks of at least `size` bytes back to the system at once from now on.
static inline void return_freed_blocks(int size) { (void)mallopt(M_MMAP_THRESHOLD, size); }
