#pragma once

#include <stddef.h>

/// Guards for memory ranges whose access may raise a signal that would kill the process. The first such access to a guarded range
/// is counted and then continues. Written in C, because only async-signal-safe code may run in a signal handler.
enum memory_guard {
  /// Mapped files that another process may truncate. An access beyond the end of the file raises SIGBUS. The guard then replaces
  /// the whole range with private zero pages, so the access reads zeros.
  GUARD_OF_MAPPINGS,
  /// Pages that their owner protects with `mprotect`. An access raises SIGSEGV. The guard then unprotects the whole range.
  GUARD_OF_PAGES,
};

/// The results of memory_guard_add without a ticket. After GUARD_NO_HANDLER, `errno` has the error of `sigaction`.
enum { GUARD_TABLE_FULL = -1, GUARD_NO_HANDLER = -2 };

/// Starts guarding `length` bytes (whole pages) from `base`. The first call installs the signal handler. Returns a ticket (0 or
/// more), GUARD_TABLE_FULL or GUARD_NO_HANDLER.
int memory_guard_add(enum memory_guard guard, void *base, size_t length);

/// Returns the number of counted accesses to the range of a ticket.
unsigned memory_guard_count(enum memory_guard guard, int ticket);

/// Stops guarding a range. Call it before the range is unmapped.
void memory_guard_remove(enum memory_guard guard, int ticket);
