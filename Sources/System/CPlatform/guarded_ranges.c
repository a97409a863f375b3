#define _GNU_SOURCE
#include "guarded_ranges.h"

#include <pthread.h>

static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;

struct guarded_range *guarded_ranges_find(struct guarded_ranges *ranges, const void *pointer) {
  uintptr_t address = (uintptr_t)pointer;
  for (int i = 0; i < ranges->capacity; i++) {
    struct guarded_range *entry = &ranges->entries[i];
    // SYNC: acquire pairs with the release store of `base` in guarded_ranges_add; the length is then visible.
    uintptr_t base = atomic_load_explicit(&entry->base, memory_order_acquire);
    if (base != 0 && address >= base && address - base < atomic_load_explicit(&entry->length, memory_order_relaxed))
      return entry;
  }
  return NULL;
}

void guarded_ranges_pass_on(struct guarded_ranges *ranges, int number, siginfo_t *info, void *context) {
  struct sigaction *previous = &ranges->previous;
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(number, info, context);
  } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
    previous->sa_handler(number);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

int guarded_ranges_add(struct guarded_ranges *ranges, void *base, size_t length) {
  int ticket = GUARD_TABLE_FULL;
  pthread_mutex_lock(&registration);
  if (!ranges->installed) {
    struct sigaction action = {.sa_sigaction = ranges->handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    ranges->installed = sigaction(ranges->number, &action, &ranges->previous) == 0;
    if (!ranges->installed) ticket = GUARD_NO_HANDLER;
  }
  for (int i = 0; ranges->installed && ticket < 0 && i < ranges->capacity; i++) {
    struct guarded_range *entry = &ranges->entries[i];
    if (atomic_load_explicit(&entry->base, memory_order_relaxed) != 0) continue;
    atomic_store_explicit(&entry->length, length, memory_order_relaxed);
    atomic_store_explicit(&entry->marks, 0, memory_order_relaxed);
    // SYNC: release pairs with the acquire in guarded_ranges_find.
    atomic_store_explicit(&entry->base, (uintptr_t)base, memory_order_release);
    ticket = i;
  }
  pthread_mutex_unlock(&registration);
  return ticket;
}

void guarded_ranges_remove(struct guarded_ranges *ranges, int ticket) {
  pthread_mutex_lock(&registration);
  // SYNC: release: a handler that sees the range removed does not read its length.
  atomic_store_explicit(&ranges->entries[ticket].base, 0, memory_order_release);
  pthread_mutex_unlock(&registration);
}
