import CommandLineSupport
import Dispatch
import Foundation
import PictureFormats
import Platform
import SoundFormats
import Synchronization

/// A file or pipe that is written on a queue of its own: a slow reader costs content, which is counted, but no time.
///
/// `Content` is the state of the writer: its format and position. Writes run one after the other, in order.
final class BackgroundStream<Content>: Sendable {
  /// The path, or "standard output", for messages.
  let name: String
  private static var standardOutput: String { "standard output" }
  private let queue: DispatchQueue
  private let capacity: Double
  private let state = Mutex(State())
  /// Used on the queue alone. A write may take long, so this lock is not the one of the counts.
  private let destination: Mutex<Destination>

  private struct Destination {
    /// `nil` until a FIFO is opened, which waits for its reader.
    var file: FileHandle?
    var content: Content
  }

  private struct State {
    var waiting = 0.0
    var failure: ProgramFailure?
    var dropped: UInt64 = 0
  }

  /// Opens the file at `path`, or standard output for `-`. A FIFO is opened on the queue.
  ///
  /// - Parameter capacity: the amount that may wait to be written, in the caller's unit.
  init(path: String, capacity: Double, content: sending Content) throws(ProgramFailure) {
    name = path == "-" ? Self.standardOutput : path
    self.capacity = capacity
    queue = DispatchQueue(label: "output \(path)")
    var status = stat()
    // UNSAFE: the path is lent to the call, which fills the struct.
    let isFIFO = unsafe path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let file = path == "-" ? .standardOutput : isFIFO ? nil : try Self.open(path)
    destination = Mutex(Destination(file: file, content: content))
    guard isFIFO else { return }
    queue.async { [self] in
      do throws(ProgramFailure) {
        let file = try Self.open(path)
        destination.withLock { $0.file = file }
      } catch {
        fail(error)
      }
    }
  }

  /// Opens a file for writing; creates it or empties it. Throws if the path cannot be written.
  private static func open(_ path: String) throws(ProgramFailure) -> FileHandle {
    // UNSAFE: the path is lent to the call as a C string.
    let descriptor = unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(.current, name: path) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Why writing stopped; `nil` while it goes well.
  var failure: ProgramFailure? { state.withLock { $0.failure } }
  /// The frames of content that were dropped because too much was waiting.
  var framesDropped: UInt64 { state.withLock { $0.dropped } }

  /// Reserves room for `amount`, which the caller then writes. Returns false, and counts `frames` as dropped, if there
  /// is no room.
  func reserve(_ amount: Double, frames: Int) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.waiting < capacity else {
        state.dropped += UInt64(frames)
        return false
      }
      state.waiting += amount
      return true
    }
  }

  /// Runs `body` on the queue with the file, and frees the reserved `amount`.
  func write(
    _ amount: Double,
    _ body: @escaping @Sendable (_ file: FileHandle, _ content: inout Content) throws -> Void
  ) {
    queue.async { [self] in
      defer { state.withLock { $0.waiting -= amount } }
      if failure == nil { run(body) }
    }
  }

  private func run(_ body: (_ file: FileHandle, _ content: inout Content) throws -> Void) {
    do {
      try destination.withLock { destination in
        if let file = destination.file { try body(file, &destination.content) }
      }
    } catch {
      fail(failure(of: error))
    }
  }

  /// Runs `finish` after the writes under way and closes the file.
  ///
  /// Throws the failure of the stream, or after five seconds that its reader is too slow.
  func close(
    of what: String, finish: @escaping @Sendable (_ content: inout Content) throws -> Void = { _ in }
  ) throws(ProgramFailure) {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      run { file, content in
        try finish(&content)
        if file !== FileHandle.standardOutput { try file.close() }
      }
      destination.withLock { $0.file = nil }
      done.signal()
    }
    guard done.wait(timeout: .now() + 5) == .success else {
      throw ProgramFailure(
        .inputOutput, "The reader of \(name) takes no more \(what); the stream is cut short.")
    }
    if let failure { throw failure }
  }

  /// Keeps the first failure; nothing is written after it.
  func fail(_ failure: ProgramFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  private func failure(of error: any Error) -> ProgramFailure {
    switch error {
    case let failure as ProgramFailure: failure
    case Y4MWriter.Error.closed, WAVEWriter.Error.closed:
      ProgramFailure(.inputOutput, "The reader of \(name) has exited.")
    case Y4MWriter.Error.write(let errno), WAVEWriter.Error.system(let errno):
      Self.failure(Errno(rawValue: errno), name: name)
    case is Y4MWriter.Error: ProgramFailure(.inputOutput, "\(error).")
    default: ProgramFailure(.inputOutput, "\(name): \(error).")
    }
  }

  private static func failure(_ errno: Errno, name: String) -> ProgramFailure {
    let remedy = name == standardOutput ? "name a file" : "name another file, or - for standard output"
    return ProgramFailure(errno: errno.rawValue, "\(name) cannot be written (\(errno)); \(remedy).")
  }
}
