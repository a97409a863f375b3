#define _GNU_SOURCE
#include "memory_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

// The signal handler finds a range by address without a lock; adding and removing ranges take the lock.

struct range {
  _Atomic uintptr_t base; // 0: the entry is free
  _Atomic size_t length;
  _Atomic unsigned count;
};

static struct range mappings[1024];
static struct range pages[4096];

static struct guard {
  int number;
  int capacity;
  struct range *ranges;
  bool installed;
  struct sigaction previous;
} guards[] = {
    [GUARD_OF_MAPPINGS] = {.number = SIGBUS, .capacity = sizeof mappings / sizeof *mappings, .ranges = mappings},
    [GUARD_OF_PAGES] = {.number = SIGSEGV, .capacity = sizeof pages / sizeof *pages, .ranges = pages},
};

static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;

static struct range *find(struct guard *guard, const void *pointer) {
  uintptr_t address = (uintptr_t)pointer;
  for (int i = 0; i < guard->capacity; i++) {
    struct range *range = &guard->ranges[i];
    // SYNC: acquire pairs with the release store of `base` in memory_guard_add; the length is then visible.
    uintptr_t base = atomic_load_explicit(&range->base, memory_order_acquire);
    if (base != 0 && address >= base && address - base < atomic_load_explicit(&range->length, memory_order_relaxed))
      return range;
  }
  return NULL;
}

/// Makes all bytes of a range accessible.
static bool open_range(enum memory_guard kind, void *base, size_t length) {
  const int access = PROT_READ | PROT_WRITE;
  if (kind == GUARD_OF_PAGES) return mprotect(base, length, access) == 0;
  return mmap(base, length, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static void handle(int number, siginfo_t *info, void *context) {
  enum memory_guard kind = number == SIGBUS ? GUARD_OF_MAPPINGS : GUARD_OF_PAGES;
  struct range *range = find(&guards[kind], info->si_addr);
  if (range != NULL) {
    void *base = (void *)atomic_load_explicit(&range->base, memory_order_relaxed);
    size_t length = atomic_load_explicit(&range->length, memory_order_relaxed);
    // SYNC: release pairs with the acquire in memory_guard_count: a reader of the zeros can see the reason.
    atomic_fetch_add_explicit(&range->count, 1, memory_order_release);
    if (open_range(kind, base, length)) return;
  }
  // The address is in no range: pass the signal to the previous handler; the default action ends the process.
  struct sigaction *previous = &guards[kind].previous;
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(number, info, context);
  } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
    previous->sa_handler(number);
  } else {
    signal(number, SIG_DFL);
    // A fault recurs at the same instruction and keeps its address for a core dump. A signal that was sent must be sent again.
    if (info->si_code <= 0) raise(number);
  }
}

int memory_guard_add(enum memory_guard kind, void *base, size_t length) {
  struct guard *guard = &guards[kind];
  int ticket = GUARD_TABLE_FULL;
  pthread_mutex_lock(&registration);
  if (!guard->installed) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    guard->installed = sigaction(guard->number, &action, &guard->previous) == 0;
    if (!guard->installed) ticket = GUARD_NO_HANDLER;
  }
  for (int i = 0; guard->installed && ticket < 0 && i < guard->capacity; i++) {
    struct range *range = &guard->ranges[i];
    if (atomic_load_explicit(&range->base, memory_order_relaxed) != 0) continue;
    atomic_store_explicit(&range->length, length, memory_order_relaxed);
    atomic_store_explicit(&range->count, 0, memory_order_relaxed);
    // SYNC: release pairs with the acquire in find.
    atomic_store_explicit(&range->base, (uintptr_t)base, memory_order_release);
    ticket = i;
  }
  pthread_mutex_unlock(&registration);
  return ticket;
}

unsigned memory_guard_count(enum memory_guard kind, int ticket) {
  // SYNC: acquire pairs with the release in handle.
  return atomic_load_explicit(&guards[kind].ranges[ticket].count, memory_order_acquire);
}

void memory_guard_remove(enum memory_guard kind, int ticket) {
  pthread_mutex_lock(&registration);
  // SYNC: release: a handler that sees the range removed does not read its length.
  atomic_store_explicit(&guards[kind].ranges[ticket].base, 0, memory_order_release);
  pthread_mutex_unlock(&registration);
}
