import Platform
import SharedMemory

/// Reads the ring at a path whatever session it belongs to: follows a session into its next file, and continues with the
/// next session when the extension starts again.
protocol SessionFollower {
  associatedtype Reader: RingReader
  associatedtype News
  associatedtype Failure: SessionFailure
  /// The open ring; `nil` before the first, and while the ring at the path cannot be read.
  var open: OpenRing<Reader>? { get set }
  /// The lock of the extension that writes.
  var lockFile: String { get }
  /// A hook for tests, called between the check for news and the check for another file.
  var betweenChecks: () -> Void { get }

  /// Opens the ring at the path, to read on where an earlier reader of its session stopped.
  func openRing() throws(RingError) -> Reader
  /// Reads what is new in a ring; `nil` when nothing is.
  mutating func read(_ reader: Reader) throws(Failure) -> News?
}

/// A ring that is open, and the lock that its extension held when it was checked last.
struct OpenRing<Reader> {
  var reader: Reader
  var lock: HeldLock?
}

/// Why a ring cannot be read.
protocol SessionFailure: Error {
  static func ring(_ error: RingError) -> Self
  /// Whether it concerns one frame alone: the ring remains usable.
  var isOfOneFrame: Bool { get }
}

extension RingError: SessionFailure {
  static func ring(_ error: RingError) -> RingError { error }
  var isOfOneFrame: Bool { false }
}

extension SessionFollower {
  /// What is new at the path, if its extension did not crash; `nil` when nothing is.
  mutating func next() throws(Failure) -> News? {
    do throws(Failure) {
      if let reader = open?.reader {
        if let news = try read(reader) { return news }
        betweenChecks()
        let isCurrent: Bool
        do { isCurrent = try reader.isCurrent() } catch { throw .ring(error) }
        if isCurrent { return nil }
        // Published after the first read, before another file took this one's place.
        if let news = try read(reader) { return news }
      }
      let reader: Reader
      do throws(RingError) { reader = try openRing() } catch {
        // No broadcast has started yet, or the session is over; its reader stays, for its last state.
        if case .storage(let storage) = error, storage.isMissing { return nil }
        throw .ring(error)
      }
      open = OpenRing(reader: reader)
      return try read(reader)
    } catch {
      if !error.isOfOneFrame { open = nil }
      throw error
    }
  }

  /// Whether the open ring's extension crashed: its session is not finished, but the lock is free or held by another
  /// process. What is new in such a ring is not reported.
  ///
  /// The first check of a file reads the lock file at its path. Later ones check the lock that was found then, with one
  /// system call.
  mutating func isOrphaned() throws(Failure) -> Bool {
    guard let ring = open, ring.reader.state != .finished else { return false }
    let pid = ring.reader.session.processID
    let holder: ProducerLock.Holder
    do throws(StorageError) {
      if let lock = ring.lock, try lock.isStillHeld() { return false }
      holder = try ProducerLock.holder(at: lockFile)
      if holder == .alive(pid: pid) {
        let lock = try HeldLock(at: lockFile, by: pid)
        open?.lock = lock
      }
    } catch {
      throw .ring(.storage(error))
    }
    // Read after the lock: an extension marks its ring as finished before it releases the lock.
    if ring.reader.state == .finished { return false }
    switch holder {
    case .unheld, .alive(pid): return false
    // Another process, which may not have written its id yet.
    case .alive, .died: return true
    }
  }
}
