import Platform
import SharedMemory

extension ProducerLock {
  /// Whether a ring was left behind by an extension that died: its session says it goes on, but the lock at `path` is
  /// free, or another process'. What such a ring still holds is shown to nobody.
  static func isLeftByTheDead(
    _ session: RingSession, lockedAt path: String, state: () -> RingState?
  ) throws(StorageError) -> Bool {
    let holder = try holder(at: path)
    // An extension that leaves in order says so in the ring first, and then leaves the lock.
    guard state() != .finished else { return false }
    switch holder {
    case .nobody, .alive(pid: session.processID): return false
    // Nobody's id yet: the next extension has just taken the lock. The ring's own wrote its id before the ring.
    case .alive, .died: return true
    }
  }
}
