import Dispatch
import Foundation
import Platform

/// A local socket on which one process answers lines of text from other processes.
///
/// ```swift
/// let service = try LineService(folder: folder, name: "control")
/// // whenever service.fileDescriptor is readable:
/// try service.answer { line, send in send("ok") }
///
/// try LineService.ask("pause", folder: folder, name: "control")     // in another process: .line("ok")
/// ```
/// A socket left by a process that has exited is replaced; a socket in use is not.
package final class LineService: Sendable {
  /// The maximum length of a line in either direction, in bytes.
  package static let maximumLineLength = 4096
  /// How many connections are served at the same time. A further connection waits up to a second, and is then closed.
  private static let maximumConnectionCount = 32
  /// How long the service waits for a line, and a process for its answer. On an overloaded host either may not run for
  /// seconds. The answer to the suspension of an app waits until that app has stopped.
  package static let waitLimit = Duration.seconds(30)

  private let folder: String
  private let name: String
  private let socket: FileDescriptor
  private let identity: FileStatus.Identity
  private let places = DispatchSemaphore(value: maximumConnectionCount)

  /// Listens under `name` in an existing folder. Throws `busy` if another process listens there, and `notASocket` if the
  /// name belongs to another kind of file.
  package init(folder: String, name: String) throws(FileError) {
    self.folder = folder
    self.name = name
    let path = "\(folder)/\(name)"
    // The lock keeps two processes that find an orphaned socket from removing each other's socket.
    socket = try FolderLock.hold(on: folder) { () throws(FileError) in
      let place = try PrivateFolder.open(folder)
      if let status = try FileStatus.read(at: path) {
        guard status.kind == .socket else { throw FileError(.notASocket, path) }
        guard try Self.isOrphaned(name, in: place) else { throw FileError(.busy, path) }
        try System.remove(path)
      }
      return try System.listen(name, in: place)
    }
    identity = try System.statusWithoutFollowing(path).identity
  }

  /// Shuts the socket down. A child between fork and exec shares it, and would otherwise keep it from being replaced.
  deinit { System.shutDown(socket, readingToo: true) }

  /// Removes the socket from the folder, unless another process has replaced it.
  package func close() throws(FileError) {
    do {
      try FolderLock.hold(on: folder) { () throws(FileError) in
        let path = "\(folder)/\(name)"
        if try FileStatus.read(at: path)?.identity == identity { try System.remove(path) }
      }
    } catch {
      // Without the folder there is no socket to remove.
      if !error.isMissing { throw error }
    }
  }

  /// The descriptor that becomes readable when a process connects; valid for the lifetime of this object.
  package var fileDescriptor: Int32 { socket.rawValue }

  /// Sends an answer. It arrives even if this process exits right afterwards.
  package typealias Send = @Sendable (String) -> Void

  /// Accepts one waiting process, if there is one. Calls `reply` on another thread with the process's line and a function
  /// that sends the answer. A process that sends no line within 30 seconds gets no answer. Blocks for up to a second if too
  /// many connections are open.
  package func answer(
    _ reply: @escaping @Sendable (_ line: String, _ send: Send) -> Void
  ) throws(FileError) {
    guard let file = try System.accept(socket) else { return }
    let connection = Connection(file)
    guard places.wait(timeout: .now() + 1) == .success else { return }
    // A dispatch queue has few threads, so processes that send no line would delay the others.
    Thread.detachNewThread { [places] in
      defer { places.signal() }
      do throws(FileError) {
        try System.limitWaiting(of: connection.file, to: Self.waitLimit)
        guard let line = try Self.readLine(connection.file) else { return }
        reply(line) { answer in
          do throws(FileError) {
            try System.send(Array((answer + "\n").utf8), to: connection.file)
          } catch {
            // The other process has gone. This is not an error here.
          }
        }
      } catch {
        // The other process has gone or is too slow. This is not an error here.
      }
    }
  }

  /// An accepted connection. It is closed after its last use.
  private final class Connection: Sendable {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
  }

  /// The result of asking another process.
  package enum Answer: Equatable, Sendable {
    case line(String)
    /// The listening process closed the connection without a line: it exited, refused the line, or serves too many
    /// connections.
    case closed
    case noService
  }

  /// Sends a line to the process that listens under `name` in `folder`, and returns its answer. Throws `noAnswer` if the
  /// process does not answer within `limit` (default: 30 s).
  package static func ask(
    _ line: String, folder: String, name: String, waitingAtMost limit: Duration = waitLimit
  ) throws(FileError) -> Answer {
    do {
      let place = try PrivateFolder.open(folder)
      let connection = try System.connect(name, in: place, waitingAtMost: limit)
      try System.send(Array((line + "\n").utf8), to: connection)
      return try readLine(connection).map { .line($0) } ?? .closed
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory, .connectionRefused: return .noService
      case .brokenPipe, .connectionReset: return .closed
      case .wouldBlock: throw FileError(.noAnswer, "\(folder)/\(name)")
      default: throw error
      }
    }
  }

  /// Reads a line without its newline; `nil` if the other side closes before the newline, or the line is too long.
  private static func readLine(_ connection: borrowing FileDescriptor) throws(FileError) -> String? {
    var bytes: [UInt8] = []
    while bytes.count <= maximumLineLength {
      let piece = try System.receive(connection, limit: maximumLineLength)
      guard !piece.isEmpty else { return nil }
      bytes += piece
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        return end <= maximumLineLength ? String(decoding: bytes[..<end], as: UTF8.self) : nil
      }
    }
    return nil
  }

  /// Whether no process listens on a socket. A socket with too many waiting connections is in use.
  private static func isOrphaned(
    _ name: String, in place: borrowing FileDescriptor
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try System.connect(name, in: place, waitingAtMost: .seconds(1))
      return false
    } catch {
      if error.errno == .connectionRefused { return true }
      if error.errno == .wouldBlock { return false }
      throw error
    }
  }
}
