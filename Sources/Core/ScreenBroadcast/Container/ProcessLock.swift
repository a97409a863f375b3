import Foundation
import Platform
import Synchronization

/// The lock that an extension holds for its life: only its holder may broadcast in the app group.
///
/// The kernel drops the lock when the process exits. A flag that is on while the lock is free therefore means a crash, which
/// needs no heartbeats. The length of the lock is the holder's process id: lock and id are taken and released in one step.
/// The file contains the id too. A holder that ends in order empties the file, so an id in an unlocked file is that of a
/// process that crashed.
public final class ProcessLock: Sendable {
  /// The state of the lock, as another process sees it.
  public enum Holder: Equatable, Sendable {
    /// No process holds it, and the last holder ended in order.
    case unheld
    /// A process holds it; 0 if it locked the whole file and has not written its id.
    case alive(pid: Int32)
    /// No process holds it; this one did, and crashed.
    case died(pid: Int32)
  }

  private let file: Mutex<FileDescriptor?>

  /// Takes the lock at `path`, and creates the file if it is missing. Throws `held` if another process holds the lock.
  public convenience init(path: String) throws(FileError) {
    try self.init(path: path, processID: System.processID)
  }

  /// Takes the lock at `path` under a process id, which need not be that of this process.
  package init(path: String, processID: Int32) throws(FileError) {
    let file = try Self.locked(path, by: processID)
    // The id of a process that crashed is overwritten before the file is cut: an empty file in between would hide the
    // crash.
    let id = Array("\(processID)\n".utf8)
    try System.write(id, to: file)
    try System.setSize(of: file, to: id.count)
    self.file = Mutex(consume file)
  }

  /// Drops the lock without emptying the file, as the kernel does when the process exits.
  deinit {
    file.withLock { file in
      guard let held = file.take() else { return }
      do {
        // As in `release()`.
        try System.unlock(held)
      } catch {
        // Closing the file drops the lock too, once no child shares it.
      }
    }
  }

  /// The state of the lock at `path`. It is read without taking the lock, and needs no right to write.
  public static func holder(at path: String) throws(FileError) -> Holder {
    let file: FileDescriptor
    do throws(FileError) {
      file = try PlainFile.open(path)
    } catch {
      if error.isMissing { return .unheld }
      throw error
    }
    // The lock is checked before and after the id is read, so that both belong to the same state.
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

  /// Makes the lock at `path` ``Holder/unheld`` after a crash of its holder. Throws when a process holds it.
  package static func forgetCrash(at path: String) throws(FileError) {
    guard case .died = try holder(at: path) else { return }
    let lock = try ProcessLock(path: path)
    try lock.release()
  }

  /// Runs `body` while no other process can take the lock at `path`. The content of the file stays; a missing file is
  /// created.
  ///
  /// Other processes see this one as the holder in that time. Throws `held` when the lock is held.
  public static func whileFree<Result>(at path: String, _ body: () -> Result) throws(FileError) -> Result {
    let file = try locked(path, by: System.processID)
    let result = body()
    try System.unlock(file)
    return result
  }

  /// The file at `path`, created if it is missing, with the lock on it.
  private static func locked(_ path: String, by processID: Int32) throws(FileError) -> FileDescriptor {
    let file = try PlainFile.openOrCreate(path)
    if try System.tryLock(file, first: Int(processID)) { return file }
    let holder = try Self.holder(at: path)
    if case .alive(let pid) = holder, pid != 0 { throw FileError(.held(by: pid), path) }
    throw FileError(.held(by: nil), path)
  }

  /// Whether `path` still names the file that this process has locked. Other processes check the file at the path.
  public func isInPlace(at path: String) throws(FileError) -> Bool {
    let identity: FileStatus.Identity? = try file.withLock { file throws(FileError) in
      switch file {
      case .some(let held): try System.status(of: held).identity
      case nil: nil
      }
    }
    return try FileStatus.read(at: path)?.identity == identity
  }

  /// Ends in order: empties the file and drops the lock.
  public func release() throws(FileError) {
    try file.withLock { file throws(FileError) in
      guard let held = file.take() else { return }
      try System.setSize(of: held, to: 0)
      // Explicitly, not by closing: a child between fork and exec shares the open file.
      try System.unlock(held)
    }
  }
}

/// The producer's lock while one process holds it: an open file that answers at little cost whether that is still so.
final class HeldLock: Sendable {
  private let file: FileDescriptor
  private let pid: Int32

  /// The lock at `path`, which the process `pid` holds.
  init(at path: String, by pid: Int32) throws(FileError) {
    file = try PlainFile.open(path)
    self.pid = pid
  }

  /// Whether the process still holds the lock. A lock on the whole file does not show it; ``ProcessLock/holder(at:)``
  /// does.
  func isStillHeld() throws(FileError) -> Bool {
    try System.lengthOfLockElsewhere(file) == Int(pid)
  }
}
