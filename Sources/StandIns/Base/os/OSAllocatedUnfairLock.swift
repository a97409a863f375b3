import Foundation

// Models os/lock.h and its Swift overlay.

// UNSAFE: the mutex of the C library, which only its functions use.
@safe
public struct os_unfair_lock_s {
  fileprivate var mutex = unsafe pthread_mutex_t()

  public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// If the same thread locks it twice, the second call waits forever. A device kills the process.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  // UNSAFE: the caller's lock, which stays where it is.
  _ = unsafe pthread_mutex_lock(&lock.pointee.mutex)
}

public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  // UNSAFE: as in `os_unfair_lock_lock`.
  unsafe pthread_mutex_trylock(&lock.pointee.mutex) == 0
}

public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  // UNSAFE: as in `os_unfair_lock_lock`.
  _ = unsafe pthread_mutex_unlock(&lock.pointee.mutex)
}

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // Unchecked `Sendable`: the state is used under the lock.

  fileprivate final class Storage {
    let lock = NSLock()
    var state: State

    init(_ state: State) { self.state = state }
  }

  fileprivate let storage: Storage

  public init(uncheckedState initialState: State) { storage = Storage(initialState) }
  public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  public func withLockIfAvailable<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State == Void {
  public init() { self.init(uncheckedState: ()) }

  public func lock() { storage.lock.lock() }
  public func unlock() { storage.lock.unlock() }
  public func lockIfAvailable() -> Bool { storage.lock.try() }

  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
}
