import Platform
import SharedMemory

/// Reads the ring at a path whatever session it belongs to: follows a session into its next file, and continues with the
/// next session when the extension starts again.
struct SessionFollower<Reader: RingReader> {
  /// The open ring; `nil` before the first, and while the ring at the path cannot be read.
  private(set) var reader: Reader?
  /// The lock that the extension of the ring held when it was checked last.
  private var lock: HeldLock?
  private let path: String
  private let lockFile: String
  /// A hook for tests, called between the check for news and the check for another file.
  var betweenChecks: () -> Void = {}

  /// Follows the ring at `path`, whose extension holds `lockFile`.
  init(path: String, lockFile: String) {
    self.path = path
    self.lockFile = lockFile
  }

  /// What is new at the path, if its extension did not crash; `nil` when nothing is.
  ///
  /// - Parameters:
  ///   - open: opens the ring, to read on where an earlier reader of its session stopped.
  ///   - read: reads what is new in a ring; `nil` when nothing is.
  mutating func next<News>(
    open: (_ path: String) throws(RingError) -> Reader, read: (Reader) throws(RingError) -> News?
  ) throws(RingError) -> News? {
    do throws(RingError) {
      if let reader {
        if let news = try read(reader), try !isOrphaned(reader) { return news }
        betweenChecks()
        if try reader.isCurrent() { return nil }
        // Published after the first read, before another file took this one's place.
        if let news = try read(reader), try !isOrphaned(reader) { return news }
      }
      let next: Reader
      do throws(RingError) { next = try open(path) } catch {
        // No broadcast has started yet, or the session is over; its reader stays, for its last state.
        if case .storage(let storage) = error, storage.isMissing { return nil }
        throw error
      }
      (reader, lock) = (next, nil)
      guard let news = try read(next), try !isOrphaned(next) else { return nil }
      return news
    } catch {
      reader = nil
      throw error
    }
  }

  /// Whether the extension of the ring crashed: its session is not finished, but the lock is free or held by another
  /// process. What is new in such a ring is not reported.
  ///
  /// The first check of a file reads the lock file at its path. Later ones check the lock that was found then, with one
  /// system call.
  private mutating func isOrphaned(_ reader: Reader) throws(RingError) -> Bool {
    guard reader.state != .finished else { return false }
    let pid = reader.session.processID
    let holder: ProducerLock.Holder
    do throws(StorageError) {
      if let lock, try lock.isStillHeld() { return false }
      holder = try ProducerLock.holder(at: lockFile)
      if holder == .alive(pid: pid) { lock = try HeldLock(at: lockFile, by: pid) }
    } catch {
      throw .storage(error)
    }
    // Read after the lock: an extension marks its ring as finished before it releases the lock.
    if reader.state == .finished { return false }
    switch holder {
    case .unheld, .alive(pid): return false
    // Another process, which may not have written its id yet.
    case .alive, .died: return true
    }
  }
}
