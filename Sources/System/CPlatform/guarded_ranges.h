#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard_errors.h"

/// Ranges of memory that a signal handler finds by address, for both guards. Adding and removing take a lock; finding
/// takes none, because only async-signal-safe code may run in a handler.

struct guarded_range {
  _Atomic uintptr_t base; // 0: the entry is free
  _Atomic size_t length;
  /// How often the handler ran for the range.
  _Atomic unsigned marks;
};

struct guarded_ranges {
  /// The signal that an access to a range raises, and its handler.
  int number;
  void (*handle)(int, siginfo_t *, void *);
  bool installed;
  struct sigaction previous;
  /// The table, of a fixed size.
  int capacity;
  struct guarded_range *entries;
};

/// Adds a range; installs the handler with the first. Returns a ticket from 0, GUARD_TABLE_FULL, or GUARD_NO_HANDLER and
/// `errno`.
int guarded_ranges_add(struct guarded_ranges *ranges, void *base, size_t length);

/// The range that contains an address, or NULL. For the handler.
struct guarded_range *guarded_ranges_find(struct guarded_ranges *ranges, const void *address);

/// Passes a signal that concerns no range to the previous handler; the default one ends the process. For the handler.
void guarded_ranges_pass_on(struct guarded_ranges *ranges, int number, siginfo_t *info, void *context);

/// Removes a range.
void guarded_ranges_remove(struct guarded_ranges *ranges, int ticket);
