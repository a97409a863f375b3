import Causes
import Foundation
import Platform
import ScreenBroadcast
import Synchronization

/// Writes the facts of the newest broadcast as JSON lines into a container, so that the cause of a killed process can be found.
///
/// One phone writes the file, and any process can read it at the same time. A device has no such file.
package final class FactsFile: Sendable {
  /// The size, in bytes, from which on only the end of a broadcast is written.
  private static let limit = 8 << 20

  private let container: AppGroupContainer
  private let report: @Sendable (FileError) -> Void
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var file: FileDescriptor?
    var identity: FileStatus.Identity?
    var size = 0
    /// The lines written so far, for a file that is created again; `nil` once the broadcast has started.
    var early: [UInt8]? = []
  }

  /// Creates the writer for a broadcast. Its file replaces the file of the previous broadcast.
  ///
  /// - Parameter report: called with the reason if the file cannot be created.
  package init(in container: AppGroupContainer, report: @escaping @Sendable (FileError) -> Void = { _ in }) {
    self.container = container
    self.report = report
  }

  /// Appends a fact, in one write. If the disk is full, the fact is lost and the broadcast continues.
  ///
  /// The file is created with the first fact, unless another process broadcasts. If two processes start at the same time, one
  /// replaces the file of the other. The process that broadcasts creates its file again once it holds its lock.
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
        // Another process may have replaced the file at the path by now.
        state.identity = try System.statusFollowing(ProcessFiles.path("fd/\(file)", of: nil)).identity
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

  /// Returns the memory kill of the process `pid` in the newest broadcast (with the session `session`, if given); `nil` if that
  /// process was not killed for its memory.
  package static func memoryKill(
    of pid: Int32, session: UInt64? = nil, in container: AppGroupContainer
  ) -> MemoryKill? {
    // A memory kill is among the last facts of a file.
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

  /// Returns the causes of the newest broadcast of a process in a container, the most important first.
  ///
  /// - Parameter exit: how the process ended, if that is known.
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
  /// The file may have any content: lines that are not facts are skipped.
  package struct Follower: Sendable {
    private let path: String
    private let isAtNewest: Bool
    private var identity: FileStatus.Identity?
    private var offset = 0
    private var rest: [UInt8] = []
    /// Whether the last call read to the end of the file.
    package private(set) var isAtEnd = true

    /// The maximum number of bytes that a call reads.
    private static let piece = 1 << 18
    /// The maximum length of a line, in bytes.
    private static let lineLimit = 1 << 14

    /// - Parameter isAtNewest: whether to begin with the last facts of a long file.
    package init(in container: AppGroupContainer, isAtNewest: Bool = false) {
      (path, self.isAtNewest) = (container.factsFile, isAtNewest)
    }

    /// Returns the facts since the last call; empty if the file is missing or cannot be read.
    package mutating func next() -> [Fact] {
      let bytes: [UInt8]
      isAtEnd = true
      do throws(FileError) {
        guard let status = try FileStatus.read(at: path), status.kind == .plainFile else { return [] }
        // Ignore the rest of a larger file, because a phone writes little more than the limit.
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
      // The last line may be incomplete.
      rest = lines.popLast().map(Array.init) ?? []
      if rest.count > Self.lineLimit { rest = [] }
      return lines.compactMap { line in
        line.count > Self.lineLimit ? nil : Fact(json: Data(line))
      }
    }
  }
}
