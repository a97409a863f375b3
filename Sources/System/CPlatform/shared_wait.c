#define _GNU_SOURCE
#include "shared_wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Not the private kind: the word lies in a file that several processes have mapped. On a little-endian machine the
// low 32 bits of the word are its first four bytes, which the kernel compares.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first half of the word must be the low one");

void shared_wait(const uint64_t *word, uint32_t expected, uint64_t deadline) {
  const uint64_t second = 1000000000;
  struct timespec limit = {.tv_sec = (time_t)(deadline / second), .tv_nsec = (long)(deadline % second)};
  // The bit-set form takes an absolute deadline of the monotonic clock. After every return (woken, another
  // value, the deadline, a signal, a truncated page) the caller checks the word again.
  (void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected, &limit, NULL, FUTEX_BITSET_MATCH_ANY);
}

int shared_wake(const uint64_t *word) {
  long woken = syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  return woken > 0 ? (int)woken : 0;
}

void thread_sleeps_precisely(void) { (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); }
