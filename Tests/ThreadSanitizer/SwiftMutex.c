// Makes the thread sanitizer see the lock of `Synchronization.Mutex`. Loaded with LD_PRELOAD; built with clang.
//
// The sanitizer sees what instrumented code does. `Mutex` takes a free lock with an inlined, instrumented instruction.
// A lock that another thread holds is taken in the Swift library, which is not instrumented, or handed over by the
// kernel. The sanitizer then reports the data that the lock guards as a race. The functions below take precedence over
// the library's, and report the locking to the sanitizer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

// `_MutexHandle._lockSlow(_:)` and `_MutexHandle._unlockSlow()`.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context)) void *

typedef SWIFT_METHOD void (*LockSlow)(uint32_t thread, SWIFT_SELF);
typedef SWIFT_METHOD void (*UnlockSlow)(SWIFT_SELF);

// Null in a program without the sanitizer.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static LockSlow library_lock_slow;
static UnlockSlow library_unlock_slow;

__attribute__((constructor)) static void find_library_functions(void) {
  library_lock_slow = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
  library_unlock_slow = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_acquire && !(library_lock_slow && library_unlock_slow)) {
    fputs("SwiftMutex.c: this Swift has no _MutexHandle._lockSlow or _unlockSlow. Correct the names.\n", stderr);
    _exit(70);
  }
}

SWIFT_METHOD void lock_slow(uint32_t thread, SWIFT_SELF lock) __asm__(LOCK_SLOW);
SWIFT_METHOD void lock_slow(uint32_t thread, SWIFT_SELF lock) {
  library_lock_slow(thread, lock);
  if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT_METHOD void unlock_slow(SWIFT_SELF lock) __asm__(UNLOCK_SLOW);
SWIFT_METHOD void unlock_slow(SWIFT_SELF lock) {
  if (__tsan_release) __tsan_release(lock);
  library_unlock_slow(lock);
}
