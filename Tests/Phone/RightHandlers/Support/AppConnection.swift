import Darwin
import Foundation

/// A connection to the app over a Unix socket. Each message follows its length in four bytes, and the app answers each with
/// one byte, so at most one message is in flight.
final class AppConnection {
  /// Called when the app is gone and does not return.
  var onGone: ((Error) -> Void)?

  private static let timeToReturn: TimeInterval = 3
  private static let pauseBetweenTries = DispatchTimeInterval.milliseconds(200)

  private let queue = DispatchQueue(label: "connection")
  private let lock = NSLock()
  // Guarded by `lock`.
  private var socket: Int32 = -1
  private var isBusy = false
  private var isClosed = false
  /// When the connection was lost; `nil` before the first and while there is one.
  private var lost: Date?

  /// Whether a message can be sent now.
  var isIdle: Bool { lock.withLock { socket >= 0 && !isBusy && !isClosed } }

  /// Connects, and retries until the app listens.
  func open() { queue.async { self.connect() } }

  /// Sends a message asynchronously, unless another message is in flight.
  func send(_ message: Data) {
    let mayStart = lock.withLock {
      guard socket >= 0, !isBusy, !isClosed else { return false }
      isBusy = true
      return true
    }
    guard mayStart else { return }
    queue.async {
      let isSent = self.exchange(message)
      self.lock.withLock { self.isBusy = !isSent && PlantedFault.staysBusy.isPlanted }
      if !isSent { self.reconnect() }
    }
  }

  /// Closes the connection and aborts a message in flight. Call it from any thread.
  func close() {
    lock.withLock {
      isClosed = true
      if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    }
    queue.sync {
      lock.withLock {
        if socket >= 0 { Darwin.close(socket) }
        socket = -1
      }
    }
  }

  private func reconnect() {
    let isOver = lock.withLock {
      if socket >= 0 { Darwin.close(socket) }
      socket = -1
      lost = lost ?? Date()
      return isClosed
    }
    if !isOver { connect() }
  }

  private func connect() {
    let (isClosed, lost) = lock.withLock { (self.isClosed, self.lost) }
    guard !isClosed, !connectOnce() else { return }
    if let lost, Date().timeIntervalSince(lost) > Self.timeToReturn {
      onGone?(Group.error("The app is gone."))
      return
    }
    queue.asyncAfter(deadline: .now() + Self.pauseBetweenTries) { [weak self] in self?.connect() }
  }

  private func connectOnce() -> Bool {
    let new = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    guard new >= 0 else { return false }
    guard withAddress(Group.socket, { Darwin.connect(new, $0, $1) }) == 0 else {
      Darwin.close(new)
      return false
    }
    signal(SIGPIPE, SIG_IGN)
    lock.withLock { (socket, lost) = (new, nil) }
    return true
  }

  private func exchange(_ message: Data) -> Bool {
    let socket = lock.withLock { self.socket }
    let length = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Data($0) }
    for part in [length, message] where !write(part, to: socket) { return false }
    var answer: UInt8 = 0
    return recv(socket, &answer, 1, 0) == 1
  }

  private func write(_ data: Data, to socket: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Darwin.send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
