import Dispatch
import Foundation
import Synchronization

/// Standard output or standard error, written without buffering, from any thread, and safe when nobody reads it.
///
/// The two standard streams are written in the background, in the order of the writes: a terminal that is held
/// (Ctrl-S), or a pipe whose reader stands still, holds nothing else up. ``flush(within:)`` before leaving.
///
/// After a write has failed everything further is dropped, and `failure` tells why; `EPIPE` means that the reader
/// has left. The programs ignore `SIGPIPE` for that (`SignalSources.ignoreBrokenPipes()`).
public final class StandardStream: Sendable {
  /// Standard output.
  public static let output = StandardStream(descriptor: STDOUT_FILENO, queue: background)
  /// Standard error.
  public static let error = StandardStream(descriptor: STDERR_FILENO, queue: background)

  /// One queue for both, so that what goes to one terminal keeps its order.
  private static let background = DispatchQueue(label: "standard streams")
  /// The most bytes that wait for a reader that stands still; what comes then is dropped.
  private static let capacity = 4 << 20

  private let descriptor: Int32
  private let queue: DispatchQueue?
  private let firstFailure = Mutex<Int32?>(nil)
  private let bytesWaiting = Mutex(0)
  private let writing = Mutex(())

  /// A stream over an open file descriptor, which stays the caller's to close.
  ///
  /// - Parameter queue: where it is written; `nil` to write before `write` returns.
  public init(descriptor: Int32, queue: DispatchQueue? = nil) {
    self.descriptor = descriptor
    self.queue = queue
  }

  /// Whether something waits to be written: mostly because the reader stands still.
  public var isBusy: Bool { bytesWaiting.withLock { $0 > 0 } }

  /// The `errno` of the write that failed, `nil` while all went well.
  public var failure: Int32? { firstFailure.withLock { $0 } }

  /// Whether nothing more can be written: a write has failed, mostly because the reader has left.
  public var isClosed: Bool { failure != nil }

  /// What the first write that failed means for the program: exit code 74, or 73 for a full disk.
  var programFailure: ProgramFailure? {
    failure.map { code in
      // UNSAFE: strerror returns a string of the C library, copied at once.
      let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
      return ProgramFailure(
        errno: code,
        "The output cannot be written any more (\(reason)); its reader has gone, or its disk is full.")
    }
  }

  /// Whether a person looks at it.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The size of the terminal now, `TerminalSize.fallback` where there is none.
  public var terminalSize: TerminalSize {
    var size = winsize()
    // UNSAFE: the call fills a structure of our own, valid for the call.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    guard result == 0, size.ws_col > 0, size.ws_row > 0 else { return .fallback }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Writes a text in one call.
  public func write(_ text: String) { write(Data(text.utf8)) }

  /// Writes bytes in one call; only what the call leaves over takes another.
  public func write(_ data: Data) {
    guard let queue else { return writeNow(data) }
    let hasRoom = bytesWaiting.withLock { waiting in
      guard waiting < Self.capacity else { return false }
      waiting += data.count
      return true
    }
    guard hasRoom else { return }
    queue.async {
      self.writeNow(data)
      self.bytesWaiting.withLock { $0 -= data.count }
    }
  }

  /// Waits until everything is written, for `seconds` at the most.
  public func flush(within seconds: Double = 2) {
    guard let queue else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// One write after the other; the lock of `failure` is not held meanwhile, since others ask for it.
  private func writeNow(_ data: Data) {
    writing.withLock { _ in
      guard failure == nil, let code = Self.writeAll(data, to: descriptor) else { return }
      firstFailure.withLock { $0 = code }
    }
  }

  /// The `errno` of the call that failed, `nil` when everything is written.
  private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
    // UNSAFE: the bytes of `data`, read only inside the closure and only up to their count.
    unsafe data.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // A descriptor somebody else set to non-blocking: wait until it takes more.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&wanted, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}
