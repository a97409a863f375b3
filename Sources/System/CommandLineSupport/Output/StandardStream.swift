import Dispatch
import Foundation
import Platform
import Synchronization

/// Stdout or stderr, written without buffering from any thread.
///
/// A background queue writes both streams in the order of the calls, so that neither a stopped terminal nor an unread pipe delays
/// a caller. Call ``flush(within:)`` before exit. After a failure, further output is dropped: `EPIPE` means that the reader
/// closed the pipe (``System/ignoreBrokenPipes()``), `ENOBUFS` that it does not read.
package final class StandardStream: Sendable {
  package static let output = StandardStream(descriptor: STDOUT_FILENO, queue: background)
  package static let error = StandardStream(descriptor: STDERR_FILENO, queue: background)

  /// A single queue for both streams keeps their order on a shared terminal.
  private static let background = DispatchQueue(label: "standard streams")
  /// The maximum number of bytes waiting to be written. The stream fails if it is exceeded.
  private static let capacity = 4 << 20

  private let descriptor: Atomic<Int32>
  private let queue: DispatchQueue?
  private let firstFailure = Mutex<Errno?>(nil)
  private let bytesWaiting = Mutex(0)
  private let writing = Mutex(())

  /// Creates a stream over an open file descriptor. The caller closes the descriptor.
  ///
  /// - Parameter queue: the queue on which writes run; `nil` to write synchronously.
  package init(descriptor: Int32, queue: DispatchQueue? = nil) {
    self.descriptor = Atomic(descriptor)
    self.queue = queue
  }

  /// Reserves stdout for this stream. Output of other code in this process goes to stderr from now on, line by line. Call it
  /// before other threads write.
  package static func reserveOutput() throws(ProgramFailure) {
    do throws(FileError) {
      output.descriptor.store(try System.separateOutput(), ordering: .relaxed)
    } catch {
      throw ProgramFailure(errno: error.code, "stdout cannot be reserved for the events: \(error).")
    }
  }

  /// Whether output is waiting, usually because the reader does not read.
  package var isBusy: Bool { bytesWaiting.withLock { $0 > 0 } }

  /// The first failure, usually because the reader closed the pipe.
  package var failure: Errno? { firstFailure.withLock { $0 } }

  /// The stream's failure as a failure of the program, with exit code 74 (73 for a full disk).
  var programFailure: ProgramFailure? {
    failure.map { errno in
      let reason =
        switch errno {
        case .noBufferSpace: "its reader does not read, and \(Self.capacity >> 20) MiB wait"
        case .brokenPipe: "its reader has exited"
        default: "\(errno)"
        }
      return ProgramFailure(errno: errno.rawValue, "The output cannot be written any more (\(reason)).")
    }
  }

  package var isTerminal: Bool { isatty(descriptor.load(ordering: .relaxed)) == 1 }

  /// The width of the terminal in characters; 80 if it is not a terminal.
  var terminalWidth: Int {
    var size = winsize()
    // UNSAFE: the call fills a local structure, valid for the call.
    let result = unsafe ioctl(descriptor.load(ordering: .relaxed), UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  package func write(_ text: String) { write(Data(text.utf8)) }

  /// Writes bytes, in one call if the system accepts them all.
  package func write(_ data: Data) {
    guard let queue else { return writeNow(data) }
    let hasRoom = bytesWaiting.withLock { waiting in
      guard waiting < Self.capacity else { return false }
      waiting += data.count
      return true
    }
    guard hasRoom else { return fail(.noBufferSpace) }
    queue.async {
      self.writeNow(data)
      self.bytesWaiting.withLock { $0 -= data.count }
    }
  }

  /// Waits until everything is written, for at most `timeout`. Returns whether everything is written.
  @discardableResult
  package func flush(within timeout: DispatchTimeInterval = .never) -> Bool {
    guard let queue else { return true }
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    return done.wait(timeout: .now() + timeout) == .success
  }

  /// Serializes the writes without holding the lock of `failure`, which callers read during a write.
  private func writeNow(_ data: Data) {
    writing.withLock { _ in
      guard failure == nil else { return }
      do throws(FileError) {
        try System.writeStream([UInt8](data), to: descriptor.load(ordering: .relaxed))
      } catch {
        fail(error.errno)
      }
    }
  }

  private func fail(_ errno: Errno) { firstFailure.withLock { $0 = $0 ?? errno } }
}
