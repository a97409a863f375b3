#pragma once

#include <stddef.h>

/// A guard over memory that its owner closes with `mprotect` while nobody may touch it.
///
/// Touching closed memory raises SIGSEGV, which ends the process. While a range is guarded, the touch is counted, the
/// whole range is opened, and the touch goes on: whoever did it is told of, and works on as it would on a device. C,
/// because only async-signal-safe code may run there.

/// Starts guarding `length` bytes from `base`, both multiples of the page size; installs the handler on the first
/// call. Returns a ticket from 0, or -1 when the table is full or the handler cannot be installed.
int access_guard_add(void *base, size_t length);

/// How often closed memory of the ticket's range was touched.
unsigned access_guard_touches(int ticket);

/// Stops guarding. Call before the range is unmapped.
void access_guard_remove(int ticket);
