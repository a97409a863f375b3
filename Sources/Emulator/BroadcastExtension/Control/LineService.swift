import Platform

/// A name in a folder under which one process answers lines of text that others bring it.
///
/// ```swift
/// let service = try LineService(folder: folder, name: "control")
/// while let … = readable(service.fileDescriptor) { try service.answer { line in "ok" } }
///
/// try LineService.ask("pause", folder: folder, name: "control")     // in another process: "ok", or nil
/// ```
/// A name that a dead process left behind is taken over; one that somebody answers under is not.
public final class LineService: Sendable {
  /// The longest line in either direction, in bytes.
  public static let longestLine = 4096
  /// How long either side waits for the other's line, in milliseconds.
  static let patience = 1000

  private let folder: String
  private let name: String
  private let socket: FileDescriptor
  private let identity: FileStatus.Identity

  /// Answers under `name` in `folder`, which must be there.
  ///
  /// Throws ``StorageError/busy(path:)`` when another process does.
  public init(folder: String, name: String) throws(StorageError) {
    self.folder = folder
    self.name = name
    do {
      // Two that find a name abandoned must not remove each other's.
      socket = try FolderLock.hold(on: folder) {
        let place = try PrivateFolder.open(folder)
        let path = "\(folder)/\(name)"
        if let status = try FileStatus.look(at: path) {
          guard status.kind == .socket else { throw StorageError.notASocket(path: path) }
          guard try Self.isAbandoned(name, in: place) else { throw StorageError.busy(path: path) }
          try System.remove(path)
        }
        return try System.listen(name, in: place)
      }
      identity = try System.statusWithoutFollowing("\(folder)/\(name)").identity
    } catch {
      throw StorageError(error)
    }
  }

  /// Takes the name away, once; nobody is answered any more.
  public func withdraw() throws(StorageError) {
    do {
      try FolderLock.hold(on: folder) {
        let path = "\(folder)/\(name)"
        // Another's name, who found this one abandoned, stays.
        if try FileStatus.look(at: path)?.identity == identity { try System.remove(path) }
      }
    } catch {
      throw StorageError(error)
    }
  }

  /// The descriptor that can be read when somebody asks; for a dispatch source or `poll`. It lives as long as this
  /// object.
  public var fileDescriptor: Int32 { socket.rawValue }

  /// Answers whoever waits, once; nothing when nobody does. One who brings no line within a second is left.
  public func answer(_ reply: (String) -> String) throws(StorageError) {
    do throws(SystemError) {
      guard let connection = try System.accept(socket) else { return }
      do throws(SystemError) {
        try System.limitWaiting(of: connection, milliseconds: Self.patience)
        guard let line = try Self.readLine(connection) else { return }
        try System.send(Array((reply(line) + "\n").utf8), to: connection)
      } catch {
        // Who asked has gone, or is too slow: that is no fault of this side.
        return
      }
    } catch {
      throw .system(error)
    }
  }

  /// Brings a line to whoever answers under `name` in `folder`, and returns the answer; `nil` when nobody does.
  ///
  /// Throws ``StorageError/noAnswer(path:)`` when somebody should and does not within ten seconds, as one who is stopped.
  public static func ask(_ line: String, folder: String, name: String) throws(StorageError) -> String? {
    do {
      let connection: FileDescriptor
      do {
        let place = try PrivateFolder.open(folder)
        connection = try System.connect(name, in: place, milliseconds: 10 * patience)
      } catch let error as SystemError {
        if [.noSuchFileOrDirectory, .connectionRefused].contains(error.errno) { return nil }
        throw error
      } catch let error as StorageError {
        if error.isMissing { return nil }
        throw error
      }
      try System.send(Array((line + "\n").utf8), to: connection)
      return try readLine(connection)
    } catch {
      let error = StorageError(error)
      throw error.code == Errno.wouldBlock.rawValue ? .noAnswer(path: "\(folder)/\(name)") : error
    }
  }

  /// A line, without its end; `nil` when the other side is done before, or never comes to an end.
  private static func readLine(_ connection: borrowing FileDescriptor) throws(SystemError) -> String? {
    var bytes: [UInt8] = []
    while bytes.count <= longestLine {
      let piece = try System.receive(connection, limit: longestLine)
      guard !piece.isEmpty else { return nil }
      bytes += piece
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        return end <= longestLine ? String(decoding: bytes[..<end], as: UTF8.self) : nil
      }
    }
    return nil
  }

  private static func isAbandoned(
    _ name: String, in place: borrowing FileDescriptor
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try System.connect(name, in: place, milliseconds: patience)
      return false
    } catch {
      if error.errno == .connectionRefused { return true }
      // So many wait for an answer that there is no place for more: somebody is there.
      if error.errno == .wouldBlock { return false }
      throw error
    }
  }
}
