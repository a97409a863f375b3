#pragma once

#include <stddef.h>

/// A guard for memory that its owner protects with `mprotect`.
///
/// An access to protected memory raises SIGSEGV, which ends the process. While a range is guarded, the access is counted,
/// the whole range is unprotected, and the access continues, as it would on a device. C, because only async-signal-safe
/// code may run there.

/// Starts guarding `length` bytes from `base`, both multiples of the page size; installs the handler on the first
/// call. Returns a ticket from 0, GUARD_TABLE_FULL, or GUARD_NO_HANDLER and `errno`.
int access_guard_add(void *base, size_t length);

/// The number of accesses to protected memory of the ticket's range.
unsigned access_guard_touches(int ticket);

/// Stops guarding. Call before the range is unmapped.
void access_guard_remove(int ticket);
