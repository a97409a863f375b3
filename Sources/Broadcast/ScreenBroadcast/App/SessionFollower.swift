import Platform
import SharedMemory

/// A reader of one ring of a session.
protocol SessionReader {
  var session: RingSession { get }
  var state: RingState? { get }
  /// Whether the file at the ring's path is the one that is open.
  func isCurrent() throws(RingError) -> Bool
}

extension FrameRingReader: SessionReader {}
extension AudioRingReader: SessionReader {}

/// Why a ring cannot be read.
protocol SessionFailure: Error {
  static func ring(_ error: RingError) -> Self
  /// Whether it concerns one frame alone: the ring remains usable.
  var isOfOneFrame: Bool { get }
}

/// Reads the ring at a path whatever session it belongs to: follows a session into its next file, and continues with the
/// next session when the extension starts again.
protocol SessionFollower {
  associatedtype Reader: SessionReader
  associatedtype News
  associatedtype Failure: SessionFailure
  /// The open ring; `nil` before the first, and while the ring at the path cannot be read.
  var open: OpenRing<Reader>? { get set }
  /// The lock of the extension that writes.
  var lockFile: String { get }

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

extension SessionFollower {
  /// What is new at the path; `nil` when nothing is.
  mutating func follow(
    betweenChecks: () -> Void = {}
  ) throws(Failure) -> News? {
    do throws(Failure) {
      if let reader = open?.reader {
        if let news = try read(reader) { return news }
        betweenChecks()
        if try isCurrent(reader) { return nil }
        // Published after the first read, before another file took this one's place.
        if let news = try read(reader) { return news }
      }
      do throws(RingError) { open = OpenRing(reader: try openRing()) } catch {
        // No broadcast has started yet, or the session is over; its reader stays, for its last state.
        if case .storage(let storage) = error, storage.isMissing { return nil }
        throw .ring(error)
      }
      return if let reader = open?.reader { try read(reader) } else { nil }
    } catch {
      if !error.isOfOneFrame { open = nil }
      throw error
    }
  }

  private func isCurrent(_ reader: Reader) throws(Failure) -> Bool {
    do { return try reader.isCurrent() } catch { throw .ring(error) }
  }

  /// Whether the open ring's extension crashed: its session is not finished, but the lock is free or held by another
  /// process. The news in such a ring are not reported.
  ///
  /// The first news of a file check the lock file at its path. Later ones ask the lock that was found then, with one system
  /// call.
  mutating func isOrphaned() throws(Failure) -> Bool {
    guard let ring = open, ring.reader.state != .finished else { return false }
    let (session, holder): (RingSession, ProducerLock.Holder)
    do throws(StorageError) {
      if let lock = ring.lock, try lock.isStillHeld() { return false }
      session = ring.reader.session
      holder = try ProducerLock.holder(at: lockFile)
      if holder == .alive(pid: session.processID) {
        let lock = try HeldLock(at: lockFile, by: session.processID)
        open?.lock = lock
      }
    } catch {
      throw .ring(.storage(error))
    }
    // Read after the lock: an extension marks its ring as finished before it releases the lock.
    if ring.reader.state == .finished { return false }
    switch holder {
    case .nobody, .alive(session.processID): return false
    // Another process, which may not have written its id yet.
    case .alive, .died: return true
    }
  }
}
