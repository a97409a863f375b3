import Platform
import SharedMemory

/// Reads the ring at a path across sessions. It follows a session into its next file, and continues with the next session when
/// the extension starts again.
final class SessionReader<Ring: OpenRing> {
  /// The open ring; `nil` before the first one, and while the ring at the path cannot be read.
  private(set) var ring: Ring?
  /// The lock that the ring's extension held when it was last checked.
  private var lock: HeldLock?
  private let path: String
  private let lockFile: String
  private let agesWithoutCheck: ClosedRange<Duration>?
  /// A hook for tests, called between the check for new content and the check for another file.
  var betweenChecks: () -> Void = {}

  /// Follows the ring at `path`, whose extension holds `lockFile`.
  /// - Parameter agesWithoutCheck: the ages at which new content is reported without checking the extension.
  init(path: String, lockFile: String, agesWithoutCheck: ClosedRange<Duration>? = nil) {
    self.path = path
    self.lockFile = lockFile
    self.agesWithoutCheck = agesWithoutCheck
  }

  /// Closes the ring, so that the next read begins with the file at the path. Unread content either belongs to an earlier
  /// broadcast, or is found there again.
  func reopen() { (ring, lock) = (nil, nil) }

  /// Returns new content at the path; `nil` if there is none, or if the app can already know that the session ended.
  /// - Parameters:
  ///   - open: opens the ring at a path, at the position where an earlier reader of its session stopped.
  ///   - read: returns the new content of a ring.
  func next<Content>(
    open: (String) throws(FileError) -> Ring, read: (Ring) throws(FileError) -> RingUpdate<Content>?
  ) throws(FileError) -> Content? {
    do throws(FileError) {
      if let ring {
        if let new = try update(from: ring, read) { return new }
        betweenChecks()
        if try ring.isCurrent() { return nil }
        // Content published after the first read, before another file replaced this one.
        if let new = try update(from: ring, read) { return new }
      }
      let next: Ring
      do throws(FileError) { next = try open(path) } catch {
        // Either no broadcast has started yet, or the session is over. Keep its ring for the last state.
        if error.isMissing { return nil }
        throw error
      }
      (ring, lock) = (next, nil)
      return try update(from: next, read)
    } catch {
      ring = nil
      throw error
    }
  }

  /// Returns the new content of a ring, unless the app can already know that its session ended. The first content of a file is
  /// always checked.
  private func update<Content>(
    from ring: Ring, _ read: (Ring) throws(FileError) -> RingUpdate<Content>?
  ) throws(FileError) -> Content? {
    guard let new = try read(ring) else { return nil }
    if lock != nil, let age = new.age, agesWithoutCheck?.contains(age) == true { return new.content }
    return try isOver(ring, age: new.age) ? nil : new.content
  }

  /// Whether content published `age` ago is too late to deliver: the extension crashed, or it ended so long ago that the app
  /// could have noticed.
  ///
  /// If the session is not finished and the lock is free or held by another process, the extension crashed. The first check of a
  /// file reads the lock file at its path. Later checks use the lock found then, with a single system call.
  private func isOver(_ ring: Ring, age: Duration?) throws(FileError) -> Bool {
    guard ring.state != .finished else { return try isStale(ring, age) }
    let pid = ring.session.processID
    if let lock, try lock.isStillHeld() { return false }
    let holder = try ProcessLock.holder(at: lockFile)
    if holder == .alive(pid: pid) { lock = try HeldLock(at: lockFile, by: pid) }
    // Read the state after the lock: an extension marks its ring as finished before it releases the lock.
    if ring.state == .finished { return try isStale(ring, age) }
    switch holder {
    case .alive(pid): return false
    // Either a writer without a lock, or the extension crashed and the next one has replaced this file and ended normally.
    case .unheld:
      guard ring.state != .replaced else { return false }
      return try !ring.isCurrent()
    // Another process. It may not have written its ID yet.
    case .alive, .died: return true
    }
  }

  /// Whether the app could have noticed the end of a finished session, by the flag or by the file of another session.
  private func isStale(_ ring: Ring, _ age: Duration?) throws(FileError) -> Bool {
    if let age, age > BroadcastBufferContext.staleAge { return true }
    return try ring.isReplaced()
  }
}

/// New content of a ring, and the time since it was published (`nil`: unknown).
typealias RingUpdate<Content> = (content: Content, age: Duration?)
