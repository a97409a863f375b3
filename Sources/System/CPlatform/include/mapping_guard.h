#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A guard for mapped files that another process may truncate.
///
/// An access to a mapped page beyond the end of its file raises SIGBUS, which ends the process. While a range is guarded,
/// the first such access replaces the whole range with private zero pages and marks it as lost; the access then continues
/// and reads zeros. C, because only async-signal-safe code may run there.

/// Starts guarding `length` bytes from `base`; installs the handler on the first call.
/// Returns a ticket from 0, GUARD_TABLE_FULL, or GUARD_NO_HANDLER and `errno`.
int mapping_guard_add(void *base, size_t length);

/// Whether bytes of the ticket's range were lost.
bool mapping_guard_is_lost(int ticket);

/// Stops guarding. Call before the range is unmapped.
void mapping_guard_remove(int ticket);
