#define _GNU_SOURCE
#include "mapping_guard.h"

#include "guarded_ranges.h"

#include <sys/mman.h>

static void handle(int number, siginfo_t *info, void *context);

static struct guarded_range table[256];

static struct guarded_ranges mappings = {.capacity = 256, .entries = table, .number = SIGBUS, .handle = handle};

static void handle(int number, siginfo_t *info, void *context) {
  struct guarded_range *entry = guarded_ranges_find(&mappings, info->si_addr);
  if (entry != NULL) {
    void *base = (void *)atomic_load_explicit(&entry->base, memory_order_relaxed);
    size_t length = atomic_load_explicit(&entry->length, memory_order_relaxed);
    // SYNC: release pairs with the acquire in mapping_guard_is_lost: a reader of the zeros can see the reason.
    atomic_fetch_add_explicit(&entry->marks, 1, memory_order_release);
    if (mmap(base, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
      return;
  }
  guarded_ranges_pass_on(&mappings, number, info, context);
}

int mapping_guard_add(void *base, size_t length) { return guarded_ranges_add(&mappings, base, length); }

bool mapping_guard_is_lost(int ticket) {
  // SYNC: acquire pairs with the release in handle.
  return atomic_load_explicit(&mappings.entries[ticket].marks, memory_order_acquire) != 0;
}

void mapping_guard_remove(int ticket) { guarded_ranges_remove(&mappings, ticket); }
