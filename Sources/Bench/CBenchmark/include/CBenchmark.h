#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>

/// Linux calls that Swift does not import, and the references that rows are compared with. Header only: everything is
/// inlined into the loop that is measured.

/// Keeps the optimiser from removing a value and the stores before it.
static inline void benchmark_keep(uint64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

/// Ends this process with SIGKILL when its parent exits. Not by its name: <signal.h> would define a second `fd_set` on
/// arm64, which clashes with that of Dispatch.
static inline bool benchmark_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9) == 0; }

/// The least that a poll can do: one load.
static inline uint64_t benchmark_load(const void *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_acquire);
}

/// Stores a word for another process.
static inline void benchmark_store(void *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_release);
}
