#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Sleeping until a word of shared memory changes, by Linux's futex. C, because Swift cannot import the variadic
/// `syscall`. Apple's platforms have `os_sync_wait_on_address` and `os_sync_wake_by_address_all` for it.

/// Sleeps while the low 32 bits of `word` are `expected`, until woken or until `deadline` in nanoseconds of the monotonic
/// clock. May return early: the caller checks the word again. The memory may be mapped read-only.
void shared_wait(const uint64_t *word, uint32_t expected, uint64_t deadline);

/// Wakes all threads that sleep on `word`, in any process, and returns their number.
int shared_wake(const uint64_t *word);

/// Lets the calling thread's sleeps end as close to their deadline as the kernel can (`PR_SET_TIMERSLACK`, 1 ns).
void thread_sleeps_precisely(void);
