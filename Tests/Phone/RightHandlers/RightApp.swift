import Darwin
import Foundation
import Network
import ReplayKit

/// The app of the handlers. It reads messages from a Unix socket and a TCP port, and a picture file on each notification. It
/// writes a JSON line for each event.
enum RightApp {
  private static let lock = NSLock()
  private static var messages = 0
  /// When a picture was last shown.
  private static var shown: Date?
  private static var listener: NWListener?
  private static var connections: [ObjectIdentifier: NWConnection] = [:]

  static func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    observePictures()
    listenAtPort()
    Thread.detachNewThread { listenAtSocket() }
    while true { RunLoop.main.run() }
  }

  private static func observePictures() {
    CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(), nil,
      { _, _, _, _, _ in
        // The extension may have removed the file.
        guard let picture = FileManager.default.contents(atPath: Group.file("frame.jpg").path) else { return }
        RightApp.count()
        show(picture)
        if picture.suffix(2) != Data([0xFF, 0xD9]) { RightApp.write("incomplete", "\(picture.count) bytes") }
      }, Group.frameNotification as CFString, nil, .deliverImmediately)
  }

  private static func listenAtPort() {
    do {
      let listener = try NWListener(using: .tcp)
      listener.stateUpdateHandler = { [weak listener] state in
        if case .ready = state { Group.port = listener?.port?.rawValue }
        // iOS closes the sockets of an app that was suspended.
        if case .failed = state { listenAtPort() }
      }
      listener.newConnectionHandler = { connection in
        connections[ObjectIdentifier(connection)] = connection
        connection.start(queue: .main)
        readLength(from: connection)
      }
      listener.start(queue: .main)
      self.listener = listener
    } catch { write("failed", "\(error)") }
  }

  private static func readLength(from connection: NWConnection) {
    connection.receive(minimumIncompleteLength: 4, maximumLength: 4) { data, _, _, _ in
      guard let data, data.count == 4 else { return close(connection) }
      let length = data.reduce(0) { $0 << 8 | Int($1) }
      connection.receive(minimumIncompleteLength: length, maximumLength: length) { data, _, _, _ in
        guard let data, data.count == length else { return close(connection) }
        count()
        readLength(from: connection)
      }
    }
  }

  private static func close(_ connection: NWConnection) {
    connection.cancel()
    connections[ObjectIdentifier(connection)] = nil
  }

  /// Listens, and listens again after iOS has reclaimed the socket.
  private static func listenAtSocket() {
    while true {
      unlink(Group.socket)
      let socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
      guard withAddress(Group.socket, { Darwin.bind(socket, $0, $1) }) == 0, Darwin.listen(socket, 8) == 0
      else { exit(1) }
      write("listening", Group.socket)
      while true {
        let connection = Darwin.accept(socket, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread {
          while let length = read(4, from: connection) {
            let count = length.reduce(0) { $0 << 8 | Int($1) }
            guard let message = read(count, from: connection), Darwin.send(connection, [1], 1, 0) == 1 else {
              break
            }
            RightApp.count()
            show(Data(message))
          }
          Darwin.close(connection)
        }
      }
      Darwin.close(socket)
    }
  }

  private static func read(_ count: Int, from connection: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes {
        Darwin.recv(connection, $0.baseAddress?.advanced(by: done), count - done, 0)
      }
      guard read > 0 else { return nil }
      done += read
    }
    return bytes
  }

  /// Writes a picture where the check looks for the picture that the remote side shows.
  private static func show(_ picture: Data) {
    guard let folder = ProcessInfo.processInfo.environment["BROADCAST_PICTURES"],
      picture.starts(with: [0xFF, 0xD8])
    else { return }
    let isFirst = lock.withLock {
      defer { shown = Date() }
      return shown == nil
    }
    if isFirst, PlantedFault.blanksAtRest.isPlanted { blankAtRest() }
    do { try picture.write(to: URL(fileURLWithPath: folder + "/far.jpg"), options: .atomic) } catch {
      write("failed", "\(error)")
    }
  }

  private static func blankAtRest() {
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 1)
        let isIdle = lock.withLock { shown.map { Date().timeIntervalSince($0) > 1 } ?? false }
        if isIdle, let blank = JPEGEncoder().blank() { show(blank) }
      }
    }
  }

  private static func count() {
    let messages = lock.withLock {
      self.messages += 1
      return self.messages
    }
    if messages % 30 == 1 { write("received", "\(messages)") }
  }

  private static func write(_ event: String, _ text: String) {
    FileHandle.standardOutput.write(Data("{\"event\":\"\(event)\",\"text\":\"\(text)\"}\n".utf8))
  }
}
