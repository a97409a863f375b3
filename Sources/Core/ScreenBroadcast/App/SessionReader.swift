import Platform
import SharedMemory

/// Reads the ring at a path whatever session it belongs to: follows a session into its next file, and continues with the
/// next session when the extension starts again.
final class SessionReader<Ring: OpenRing> {
  /// The open ring; `nil` before the first, and while the ring at the path cannot be read.
  private(set) var ring: Ring?
  /// The lock that the extension of the ring held when it was checked last.
  private var lock: HeldLock?
  private let path: String
  private let lockFile: String
  private let agesWithoutCheck: ClosedRange<Duration>?
  /// A hook for tests, called between the check for news and the check for another file.
  var betweenChecks: () -> Void = {}

  /// Follows the ring at `path`, whose extension holds `lockFile`.
  /// - Parameter agesWithoutCheck: the ages at which news is reported without a check of the extension.
  init(path: String, lockFile: String, agesWithoutCheck: ClosedRange<Duration>? = nil) {
    self.path = path
    self.lockFile = lockFile
    self.agesWithoutCheck = agesWithoutCheck
  }

  /// Closes the ring, so that the next read begins with the file at the path. What was not read is of an earlier
  /// broadcast, or is found there again.
  func reopen() { (ring, lock) = (nil, nil) }

  /// What is new at the path, if its session is not over for the app; `nil` when nothing is.
  /// - Parameters:
  ///   - open: opens the ring at a path, to read on where an earlier reader of its session stopped.
  ///   - read: returns what is new in a ring.
  func next<Content>(
    open: (String) throws(FileError) -> Ring, read: (Ring) throws(FileError) -> RingNews<Content>?
  ) throws(FileError) -> Content? {
    do throws(FileError) {
      if let ring {
        if let news = try news(of: ring, read) { return news }
        betweenChecks()
        if try ring.isCurrent() { return nil }
        // Published after the first read, before another file took this one's place.
        if let news = try news(of: ring, read) { return news }
      }
      let next: Ring
      do throws(FileError) { next = try open(path) } catch {
        // No broadcast has started yet, or the session is over; its ring stays, for its last state.
        if error.isMissing { return nil }
        throw error
      }
      (ring, lock) = (next, nil)
      return try news(of: next, read)
    } catch {
      ring = nil
      throw error
    }
  }

  /// What is new in a ring, if its session is not over for the app. The first news of a file is always checked.
  private func news<Content>(
    of ring: Ring, _ read: (Ring) throws(FileError) -> RingNews<Content>?
  ) throws(FileError) -> Content? {
    guard let news = try read(ring) else { return nil }
    if lock != nil, let age = news.age, agesWithoutCheck?.contains(age) == true { return news.content }
    return try isOver(ring, age: news.age) ? nil : news.content
  }

  /// Whether what is new in a ring, `age` ago, comes too late: the extension crashed, or it ended so long ago that the app
  /// could have seen the end.
  ///
  /// The extension of a session that is not finished crashed if the lock is free or held by another process. The first
  /// check of a file reads the lock file at its path. Later ones check the lock that was found then, with one system call.
  private func isOver(_ ring: Ring, age: Duration?) throws(FileError) -> Bool {
    guard ring.state != .finished else { return try isStale(ring, age) }
    let pid = ring.session.processID
    if let lock, try lock.isStillHeld() { return false }
    let holder = try ProcessLock.holder(at: lockFile)
    if holder == .alive(pid: pid) { lock = try HeldLock(at: lockFile, by: pid) }
    // Read after the lock: an extension marks its ring as finished before it releases the lock.
    if ring.state == .finished { return try isStale(ring, age) }
    switch holder {
    case .alive(pid): return false
    // A writer without a lock; or the extension crashed, and the next one has replaced this file and ended in order.
    case .unheld:
      guard ring.state != .replaced else { return false }
      return try !ring.isCurrent()
    // Another process, which may not have written its id yet.
    case .alive, .died: return true
    }
  }

  /// Whether the end of a finished session could have been seen: in the flag, or in the file of another session.
  private func isStale(_ ring: Ring, _ age: Duration?) throws(FileError) -> Bool {
    if let age, age > BroadcastBufferContext.staleAge { return true }
    return try ring.isReplaced()
  }
}

/// What is new in a ring, and how long ago it was published; `nil` if that is not known.
typealias RingNews<Content> = (content: Content, age: Duration?)
