import Foundation
import Platform
import Synchronization

/// The lock that an extension holds while it runs. Only its holder may broadcast in the app group.
///
/// The kernel releases the lock when the process exits. If the flag is on and the lock is free, the extension crashed, so no
/// heartbeats are needed. The length of the lock is the holder's process ID, so that lock and ID are acquired and released in one
/// step. The file also contains the ID. A holder that ends normally empties the file, so an ID in an unlocked file means that its
/// process crashed.
public final class ProcessLock: Sendable {
  /// The state of the lock, as seen by another process.
  public enum Holder: Equatable, Sendable {
    /// No process holds the lock, and the last holder ended normally.
    case unheld
    /// A process holds the lock (0: a process that locked the whole file and has not written its ID yet).
    case alive(pid: Int32)
    /// No process holds the lock; its last holder, with this ID, crashed.
    case died(pid: Int32)
  }

  private let file: Mutex<FileDescriptor?>

  /// Acquires the lock at `path`, and creates the file if it is missing. Throws `held` if another process holds the lock.
  public convenience init(path: String) throws(FileError) {
    try self.init(path: path, processID: System.processID)
  }

  /// Acquires the lock at `path` under a process ID (not necessarily this process's).
  package init(path: String, processID: Int32) throws(FileError) {
    let file = try Self.locked(path, by: processID)
    // Overwrite the ID of a crashed process before truncating the file: an empty file in between would hide the crash.
    let id = Array("\(processID)\n".utf8)
    try System.write(id, to: file)
    try System.setSize(of: file, to: id.count)
    self.file = Mutex(consume file)
  }

  /// Releases the lock without emptying the file, as the kernel does when the process exits.
  deinit {
    file.withLock { file in
      guard let held = file.take() else { return }
      do {
        // Unlock explicitly, for the reason given in `release()`.
        try System.unlock(held)
      } catch {
        // Closing the file releases the lock too, once no child process shares the open file.
      }
    }
  }

  /// Returns the state of the lock at `path`. It does not acquire the lock and needs no write permission.
  public static func holder(at path: String) throws(FileError) -> Holder {
    let file: FileDescriptor
    do throws(FileError) {
      file = try PlainFile.open(path)
    } catch {
      if error.isMissing { return .unheld }
      throw error
    }
    // Check the lock before and after reading the ID, so that both belong to the same state.
    while true {
      let length = try System.lengthOfLockElsewhere(file)
      if let length, let pid = Int32(exactly: length), pid > 0 { return .alive(pid: pid) }
      let text = String(decoding: try System.read(file, limit: 32), as: UTF8.self)
      guard try System.lengthOfLockElsewhere(file) == length else { continue }
      let pid = Int32(text.prefix { $0.isASCII && $0.isNumber }) ?? 0
      if length != nil { return .alive(pid: pid) }
      return pid == 0 ? .unheld : .died(pid: pid)
    }
  }

  /// Resets the lock at `path` to ``Holder/unheld`` if its holder crashed. Throws if another process acquires the lock at the
  /// same time.
  package static func forgetCrash(at path: String) throws(FileError) {
    guard case .died = try holder(at: path) else { return }
    let lock = try ProcessLock(path: path)
    try lock.release()
  }

  /// Runs `body` while no other process can acquire the lock at `path`. Keeps the content of the file, and creates the file if it
  /// is missing.
  ///
  /// During that time other processes see this process as the holder. Throws `held` if the lock is held.
  public static func whileFree<Result>(at path: String, _ body: () -> Result) throws(FileError) -> Result {
    let file = try locked(path, by: System.processID)
    let result = body()
    try System.unlock(file)
    return result
  }

  /// Opens the file at `path`, creating it if it is missing, and locks it.
  private static func locked(_ path: String, by processID: Int32) throws(FileError) -> FileDescriptor {
    let file = try PlainFile.openOrCreate(path)
    if try System.tryLock(file, first: Int(processID)) { return file }
    let holder = try Self.holder(at: path)
    if case .alive(let pid) = holder, pid != 0 { throw FileError(.held(by: pid), path) }
    throw FileError(.held(by: nil), path)
  }

  /// Whether `path` still names the file that this process has locked. Other processes check whatever file is at the path.
  public func isInPlace(at path: String) throws(FileError) -> Bool {
    let identity: FileStatus.Identity? = try file.withLock { file throws(FileError) in
      switch file {
      case .some(let held): try System.status(of: held).identity
      case nil: nil
      }
    }
    return try FileStatus.read(at: path)?.identity == identity
  }

  /// Ends normally: empties the file and releases the lock.
  public func release() throws(FileError) {
    try file.withLock { file throws(FileError) in
      guard let held = file.take() else { return }
      try System.setSize(of: held, to: 0)
      // Unlock explicitly instead of closing: a child between fork and exec shares the open file.
      try System.unlock(held)
    }
  }
}

/// The producer's lock, held by a process. The open file allows a cheap check whether the process still holds it.
final class HeldLock: Sendable {
  private let file: FileDescriptor
  private let pid: Int32

  /// Opens the lock at `path`, which the process `pid` holds.
  init(at path: String, by pid: Int32) throws(FileError) {
    file = try PlainFile.open(path)
    self.pid = pid
  }

  /// Whether the process still holds the lock. A lock on the whole file does not show this; use ``ProcessLock/holder(at:)``
  /// instead.
  func isStillHeld() throws(FileError) -> Bool {
    try System.lengthOfLockElsewhere(file) == Int(pid)
  }
}
