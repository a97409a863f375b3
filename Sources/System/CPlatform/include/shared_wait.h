#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Sleeping until a word of shared memory changes. C, because `syscall` is variadic and Swift imports no such
/// function. Linux only; Apple's platforms have `os_sync_wait_on_address` and `os_sync_wake_by_address_all` for it.

/// Sleeps while the low 32 bits of `word` are `expected`, until woken, and at the longest until `deadline` in
/// nanoseconds of the monotonic clock. May return early; the caller looks again. The memory may be mapped read-only.
void shared_wait(const uint64_t *word, uint32_t expected, uint64_t deadline);

/// Wakes everybody who sleeps on `word`, in whatever process; returns how many there were.
int shared_wake(const uint64_t *word);

/// Lets the calling thread's sleeps end as close to their deadline as the kernel can (`PR_SET_TIMERSLACK`, 1 ns).
void thread_sleeps_precisely(void);
