#pragma once

#include <stddef.h>

/// Guards for memory whose access raises a signal, which would end the process. While a range is guarded, its first such
/// access is counted and continues. C, because only async-signal-safe code may run in a signal handler.
enum memory_guard {
  /// Mapped files that another process may truncate. An access beyond the end of the file raises SIGBUS; it replaces the
  /// whole range with private zero pages, and reads zeros.
  GUARD_OF_MAPPINGS,
  /// Pages that their owner protects with `mprotect`. An access raises SIGSEGV; it unprotects the whole range.
  GUARD_OF_PAGES,
};

/// Why a guard has no ticket for a range. With GUARD_NO_HANDLER `errno` has the reason of `sigaction`.
enum { GUARD_TABLE_FULL = -1, GUARD_NO_HANDLER = -2 };

/// Starts guarding `length` bytes from `base`, whole pages; installs the handler on the first call. Returns a ticket from
/// 0, GUARD_TABLE_FULL or GUARD_NO_HANDLER.
int memory_guard_add(enum memory_guard guard, void *base, size_t length);

/// The number of counted accesses to the ticket's range.
unsigned memory_guard_count(enum memory_guard guard, int ticket);

/// Stops guarding. Call before the range is unmapped.
void memory_guard_remove(enum memory_guard guard, int ticket);
