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

  private let file: FileDescriptor
  private let size = Mutex(0)

  /// Begins the facts of a broadcast, in place of those of the one before.
  package init(in container: AppGroupContainer) throws(FileError) {
    file = try PlainFile.create(container.factsFile)
  }

  /// Appends a fact, in one write. A full disk loses it: the broadcast goes on.
  package func append(_ fact: Fact) {
    guard let line = fact.json else { return }
    size.withLock { size in
      guard size < Self.limit || fact.body is BroadcastEnd || fact.body is MemoryKill else { return }
      size += line.count
      do throws(FileError) { try System.writeStream(Array(line), to: file.rawValue) } catch {}
    }
  }

  private static func all(in container: AppGroupContainer) -> [Fact] {
    var (follower, all) = (Follower(in: container), [Fact]())
    while case let facts = follower.next(), !facts.isEmpty { all += facts }
    return all
  }

  /// The record of the process `pid`, which had the session `session` if that is known; `nil` if the newest broadcast was not
  /// killed for its memory.
  package static func memoryKill(
    of pid: Int32, session: UInt64? = nil, in container: AppGroupContainer
  ) -> MemoryKill? {
    let kill = all(in: container).compactMap { $0.body as? MemoryKill }.last { $0.pid == pid }
    guard let session, let recorded = kill?.session else { return kill }
    return UInt64(recorded, radix: 16) == session ? kill : nil
  }

  /// The causes of the newest broadcast of a process in a container, the most important first.
  ///
  /// - Parameter exit: how its process ended, if that is known.
  package static func causes(of pid: Int32, in container: AppGroupContainer, exit: ExitFact? = nil) -> [Cause]
  {
    var (finder, time) = (CauseFinder(), MonotonicTime.zero)
    for fact in all(in: container) where fact.pid == pid {
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
    private var identity: FileStatus.Identity?
    private var offset = 0
    private var rest: [UInt8] = []
    /// Whether the last call has read all that was there.
    package private(set) var isAtEnd = true

    /// The most bytes of one call, and of one line.
    private static let piece = 1 << 18
    private static let lineLimit = 1 << 14

    package init(in container: AppGroupContainer) { path = container.factsFile }

    /// The facts since the last call. A file that is missing or cannot be read has none.
    package mutating func next() -> [Fact] {
      let bytes: [UInt8]
      isAtEnd = true
      do throws(FileError) {
        guard let status = try FileStatus.read(at: path), status.kind == .plainFile else { return [] }
        if status.identity != identity || status.byteCount < offset {
          (identity, offset, rest) = (status.identity, 0, [])
        }
        guard status.byteCount > offset else { return [] }
        bytes = try System.read(try PlainFile.open(path), from: offset, limit: Self.piece)
        isAtEnd = bytes.isEmpty || offset + bytes.count >= status.byteCount
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
