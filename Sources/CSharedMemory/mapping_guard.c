#define _GNU_SOURCE
#include "CSharedMemory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum { CAPACITY = 256 };

struct entry {
  _Atomic uintptr_t base; // 0: the entry is free
  _Atomic size_t length;
  _Atomic bool lost;
};

static struct entry entries[CAPACITY];
static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;
static bool installed;
static struct sigaction previous;

static struct entry *entry_at(uintptr_t address) {
  for (int i = 0; i < CAPACITY; i++) {
    // SYNC: acquire pairs with the release store of `base` in mapping_guard_add; the length is then visible.
    uintptr_t base = atomic_load_explicit(&entries[i].base, memory_order_acquire);
    if (base != 0 && address >= base && address - base < atomic_load_explicit(&entries[i].length, memory_order_relaxed))
      return &entries[i];
  }
  return NULL;
}

static void handle(int number, siginfo_t *info, void *context) {
  struct entry *entry = entry_at((uintptr_t)info->si_addr);
  if (entry != NULL) {
    void *base = (void *)atomic_load_explicit(&entry->base, memory_order_relaxed);
    size_t length = atomic_load_explicit(&entry->length, memory_order_relaxed);
    // SYNC: release pairs with the acquire in mapping_guard_is_lost: who reads zeros here can learn why.
    atomic_store_explicit(&entry->lost, true, memory_order_release);
    if (mmap(base, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
      return;
  }
  // Not ours: whoever was there before decides; the default ends the process, as it would have.
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

int mapping_guard_add(void *base, size_t length) {
  int ticket = -1;
  pthread_mutex_lock(&registration);
  if (!installed) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    installed = sigaction(SIGBUS, &action, &previous) == 0;
  }
  for (int i = 0; installed && ticket < 0 && i < CAPACITY; i++) {
    if (atomic_load_explicit(&entries[i].base, memory_order_relaxed) != 0) continue;
    atomic_store_explicit(&entries[i].length, length, memory_order_relaxed);
    atomic_store_explicit(&entries[i].lost, false, memory_order_relaxed);
    // SYNC: release pairs with the acquire in entry_at.
    atomic_store_explicit(&entries[i].base, (uintptr_t)base, memory_order_release);
    ticket = i;
  }
  pthread_mutex_unlock(&registration);
  return ticket;
}

bool mapping_guard_is_lost(int ticket) {
  // SYNC: acquire pairs with the release store in handle.
  return atomic_load_explicit(&entries[ticket].lost, memory_order_acquire);
}

void mapping_guard_remove(int ticket) {
  pthread_mutex_lock(&registration);
  atomic_store_explicit(&entries[ticket].base, 0, memory_order_release);
  pthread_mutex_unlock(&registration);
}
