#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Linux calls that Swift does not import, and the references that rows are compared with. Header only: everything is
/// inlined into the loop that is measured.

/// Keeps the optimiser from removing a value and the stores before it.
static inline void benchmark_keep(uint64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

/// The use of the processors by this process, or by its children that have ended.
struct benchmark_usage {
  /// Microseconds.
  int64_t processor_time;
  /// How often the kernel gave a thread's processor to another one.
  int64_t involuntary_switches;
};

static inline struct benchmark_usage benchmark_usage(bool of_children) {
  // struct rusage: user time, system time, 14 more words. Its header would define what Glibc's module defines.
  long usage[18];
  if (syscall(SYS_getrusage, of_children ? -1 : 0, usage) != 0) return (struct benchmark_usage){0, 0};
  return (struct benchmark_usage){
      1000000 * (int64_t)(usage[0] + usage[2]) + usage[1] + usage[3], (int64_t)usage[17]};
}

/// Ends this process with SIGKILL when its parent exits. Not by its name: <signal.h> would define a second `fd_set` on
/// arm64, which clashes with that of Dispatch.
static inline bool benchmark_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9) == 0; }

/// The least that a publish can do: the odd counter, a fence, one line of the slot, the even counter, the newest frame.
static inline void benchmark_publish_words(void *words, uint64_t number) {
  _Atomic uint64_t *counter = (_Atomic uint64_t *)((char *)words + 64);
  atomic_store_explicit(counter, 2 * number + 1, memory_order_release);
  atomic_thread_fence(memory_order_release);
  memcpy((char *)words + 128, &number, sizeof number);
  atomic_store_explicit(counter, 2 * number + 2, memory_order_release);
  atomic_store_explicit((_Atomic uint64_t *)words, number << 8, memory_order_release);
  benchmark_keep(0);
}

/// The least that a poll can do: one load.
static inline uint64_t benchmark_load(const void *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_acquire);
}

/// Stores a word for another process.
static inline void benchmark_store(void *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_release);
}

/// Sleeps while the word's low half is `seen`, at most a second.
static inline void benchmark_futex_wait(void *word, uint32_t seen) {
  struct timespec limit = {.tv_sec = 1};
  syscall(SYS_futex, word, FUTEX_WAIT, seen, &limit, NULL, 0);
}

/// Wakes all threads that sleep on the word.
static inline void benchmark_futex_wake(void *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0); }

/// The sum of all bytes, eight at a time: the cheapest way to read each of them.
static inline uint64_t benchmark_sum(const void *bytes, size_t count) {
  const unsigned char *from = (const unsigned char *)bytes;
  uint64_t sum[4] = {0};
  size_t offset = 0;
  for (; offset + 32 <= count; offset += 32) {
    uint64_t words[4];
    memcpy(words, from + offset, sizeof words);
    for (int lane = 0; lane < 4; lane++) sum[lane] += words[lane];
  }
  for (; offset < count; offset++) sum[0] += from[offset];
  return sum[0] + sum[1] + sum[2] + sum[3];
}
