#define _GNU_SOURCE
#include "access_guard.h"

#include "guarded_ranges.h"

#include <sys/mman.h>

static void handle(int number, siginfo_t *info, void *context);

static struct guarded_range table[1024];

static struct guarded_ranges closed = {.capacity = 1024, .entries = table, .number = SIGSEGV, .handle = handle};

static void handle(int number, siginfo_t *info, void *context) {
  struct guarded_range *entry = guarded_ranges_find(&closed, info->si_addr);
  if (entry != NULL) {
    void *base = (void *)atomic_load_explicit(&entry->base, memory_order_relaxed);
    size_t length = atomic_load_explicit(&entry->length, memory_order_relaxed);
    // SYNC: release pairs with the acquire in access_guard_touches.
    atomic_fetch_add_explicit(&entry->marks, 1, memory_order_release);
    if (mprotect(base, length, PROT_READ | PROT_WRITE) == 0) return;
  }
  guarded_ranges_pass_on(&closed, number, info, context);
}

int access_guard_add(void *base, size_t length) { return guarded_ranges_add(&closed, base, length); }

unsigned access_guard_touches(int ticket) {
  // SYNC: acquire pairs with the release in handle.
  return atomic_load_explicit(&closed.entries[ticket].marks, memory_order_acquire);
}

void access_guard_remove(int ticket) { guarded_ranges_remove(&closed, ticket); }
