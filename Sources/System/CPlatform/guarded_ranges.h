#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Ranges of memory that a signal handler looks up by address: what the two guards have in common. Adding and
/// removing take a lock; looking up takes none, as only async-signal-safe code may run in a handler.

struct guarded_range {
  _Atomic uintptr_t base; // 0: the entry is free
  _Atomic size_t length;
  /// How often the handler dealt with the range.
  _Atomic unsigned marks;
};

struct guarded_ranges {
  /// The signal that touching a range raises, and the handler that deals with it.
  int number;
  void (*handle)(int, siginfo_t *, void *);
  bool installed;
  struct sigaction previous;
  /// The table, of a fixed size.
  int capacity;
  struct guarded_range *entries;
};

/// Adds a range; installs the handler with the first. Returns a ticket from 0, or -1 when there is no place or the
/// handler cannot be installed.
int guarded_ranges_add(struct guarded_ranges *ranges, void *base, size_t length);

/// The range an address lies in; NULL for none. For the handler.
struct guarded_range *guarded_ranges_find(struct guarded_ranges *ranges, const void *address);

/// Hands a signal that is not about a range to whoever dealt with it before; the default ends the process, as it
/// would have. For the handler.
void guarded_ranges_pass_on(struct guarded_ranges *ranges, int number, siginfo_t *info, void *context);

/// Removes a range.
void guarded_ranges_remove(struct guarded_ranges *ranges, int ticket);
