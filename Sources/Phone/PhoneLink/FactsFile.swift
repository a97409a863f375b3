import Causes
import Foundation
import Platform
import ScreenBroadcast
import Synchronization

/// The facts of the newest broadcast, as lines of JSON in a container: a process that is killed leaves them to whoever looks
/// for the cause.
///
/// One phone writes the file, and any process follows it. A device has no such file.
package final class FactsFile: Sendable {
  /// The size at which only the end of a broadcast is written, in bytes.
  private static let limit = 8 << 20

  private let container: AppGroupContainer
  private let report: @Sendable (FileError) -> Void
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var file: FileDescriptor?
    var identity: FileStatus.Identity?
    var size = 0
    /// The lines so far; `nil` once the broadcast has started.
    var early: [UInt8]? = []
  }

  /// The facts of a broadcast, in place of those of the one before.
  ///
  /// - Parameter report: gets the reason why there is no file.
  package init(in container: AppGroupContainer, report: @escaping @Sendable (FileError) -> Void = { _ in }) {
    self.container = container
    self.report = report
  }

  /// Appends a fact, in one write. A full disk loses it: the broadcast goes on.
  ///
  /// The file is made with the first fact, unless another process broadcasts. If two processes start together, the file of one
  /// replaces the file of the other; the one that broadcasts makes its file again when it has its lock.
  package func append(_ fact: Fact) {
    guard let line = fact.json else { return }
    let isLast = fact.body is BroadcastEnd || fact.body is MemoryKill
    state.withLock { state in
      guard state.size < Self.limit || isLast else { return }
      state.size += line.count
      state.early? += line
      let lines = state.early ?? Array(line)
      let isStart = state.early != nil && fact.body is StartedEvent
      if isStart { state.early = nil }
      do throws(FileError) {
        let current = try isStart ? FileStatus.read(at: container.factsFile)?.identity : state.identity
        if let file = state.file?.rawValue, current == state.identity {
          return try System.writeStream(Array(line), to: file)
        }
        state.file = try FolderLock.hold(on: container.broadcastFolder, makeFile)
        guard let file = state.file?.rawValue else {
          if isStart { state.size = Self.limit }
          return
        }
        state.identity = try FileStatus.read(at: container.factsFile)?.identity
        try System.writeStream(lines, to: file)
      } catch {
        guard state.file == nil else { return }
        report(error)
        state.size = Self.limit
      }
    }
  }

  /// Returns a new file; `nil` if another process broadcasts.
  private func makeFile() throws(FileError) -> FileDescriptor? {
    try isFree ? PlainFile.create(container.factsFile) : nil
  }

  /// Whether no other process broadcasts.
  private var isFree: Bool {
    get throws(FileError) {
      for lock in [container.producerLockFile, container.extensionLockFile] {
        if case .alive(let pid) = try ProcessLock.holder(at: lock), pid != System.processID { return false }
      }
      return true
    }
  }

  private static func all(_ follower: Follower) -> [Fact] {
    var (follower, all) = (follower, [Fact]())
    repeat { all += follower.next() } while !follower.isAtEnd
    return all
  }

  /// The record of the process `pid`, which had the session `session` if that is known; `nil` if the newest broadcast was not
  /// killed for its memory.
  package static func memoryKill(
    of pid: Int32, session: UInt64? = nil, in container: AppGroupContainer
  ) -> MemoryKill? {
    // It is the last fact, or nearly so.
    let kill = all(Follower(in: container, isAtNewest: true)).compactMap { $0.body as? MemoryKill }.last {
      $0.pid == pid
    }
    guard let session, let recorded = kill?.session else { return kill }
    return UInt64(recorded, radix: 16) == session ? kill : nil
  }

  /// Returns the process of the newest broadcast, with its command line, if it has crashed without the flag. Returns `nil` for a
  /// crash that the next start or 'consumer stop' has seen.
  package static func crash(
    in container: AppGroupContainer
  ) throws(FileError) -> (pid: Int32, arguments: [String]?, hasStarted: Bool)? {
    let facts = all(Follower(in: container))
    guard let launch = facts.last(where: { $0.body is LaunchFact }) else { return nil }
    let arguments = (launch.body as? LaunchFact)?.arguments
    // The lock is taken when `broadcastStarted` has returned.
    if try ProcessLock.holder(at: container.extensionLockFile) == .died(pid: launch.pid) {
      return (launch.pid, arguments, true)
    }
    let hasReturned = facts.contains {
      $0.pid == launch.pid && ($0.body is StartedEvent || $0.body is BroadcastEnd)
    }
    return hasReturned || ProcessState.isRunning(launch.pid) ? nil : (launch.pid, arguments, false)
  }

  /// The causes of the newest broadcast of a process in a container, the most important first.
  ///
  /// - Parameter exit: how its process ended, if that is known.
  package static func causes(of pid: Int32, in container: AppGroupContainer, exit: ExitFact? = nil) -> [Cause]
  {
    var (finder, time) = (CauseFinder(), MonotonicTime.zero)
    for fact in all(Follower(in: container)) where fact.pid == pid {
      _ = finder.take(fact)
      time = fact.time
    }
    if let kill = exit?.kill { time = MonotonicTime(nanoseconds: kill.atNs) }
    if let exit { _ = finder.take(Fact(exit, at: time, pid: pid)) }
    return finder.causes
  }

  /// Reads the facts of a container while they are written, each once.
  ///
  /// It trusts nothing in the file: a line that is no fact is left out.
  package struct Follower: Sendable {
    private let path: String
    private let isAtNewest: Bool
    private var identity: FileStatus.Identity?
    private var offset = 0
    private var rest: [UInt8] = []
    /// Whether the last call has read all that was there.
    package private(set) var isAtEnd = true

    /// The most bytes of one call, and of one line.
    private static let piece = 1 << 18
    private static let lineLimit = 1 << 14

    /// - Parameter isAtNewest: whether it begins with the last facts of a long file.
    package init(in container: AppGroupContainer, isAtNewest: Bool = false) {
      (path, self.isAtNewest) = (container.factsFile, isAtNewest)
    }

    /// The facts since the last call. A file that is missing or cannot be read has none.
    package mutating func next() -> [Fact] {
      let bytes: [UInt8]
      isAtEnd = true
      do throws(FileError) {
        guard let status = try FileStatus.read(at: path), status.kind == .plainFile else { return [] }
        // No phone writes more.
        let end = min(status.byteCount, 2 * FactsFile.limit)
        if status.identity != identity || end < offset {
          (identity, offset, rest) = (status.identity, isAtNewest ? max(0, end - Self.piece) : 0, [])
        }
        guard end > offset else { return [] }
        bytes = try System.read(try PlainFile.open(path), from: offset, limit: min(Self.piece, end - offset))
        isAtEnd = bytes.isEmpty || offset + bytes.count >= end
      } catch {
        return []
      }
      offset += bytes.count
      var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // The last line may lack its end.
      rest = lines.popLast().map(Array.init) ?? []
      if rest.count > Self.lineLimit { rest = [] }
      return lines.compactMap { line in
        line.count > Self.lineLimit ? nil : Fact(json: Data(line))
      }
    }
  }
}
