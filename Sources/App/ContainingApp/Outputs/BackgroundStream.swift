import CommandLineSupport
import CoreVideo
import Dispatch
import Foundation
import PictureFormats
import Platform
import Synchronization

/// A Y4M file or pipe that is written on a separate queue, so a slow reader does not delay the app. Frames that do not fit into
/// the queue are dropped and counted.
final class BackgroundStream: Sendable {
  /// The path, or "stdout", for messages.
  let name: String
  private static let standardOutput = "stdout"
  private let frameRate: Y4MHeader.Ratio
  private let queue: DispatchQueue
  private let state = Mutex(State())
  /// The file and its writer, used only on the queue. They are not in `state`, because a write can hold this lock for long.
  private let destination: Mutex<Destination>

  private struct Destination {
    /// `nil` until a FIFO is opened, which waits for its reader.
    var file: FileHandle?
    /// `nil` before the first frame, which decides the header.
    var writer: Y4MWriter?
  }

  private struct State {
    var waiting = 0
    var failure: ProgramFailure?
    var dropped: UInt64 = 0
  }

  /// The maximum number of frames that wait to be written.
  private static let capacity = 8

  /// Opens the file at `path`, or stdout for `-`. A FIFO is opened on the queue.
  init(path: String, frameRate: Y4MHeader.Ratio) throws(ProgramFailure) {
    name = path == "-" ? Self.standardOutput : path
    self.frameRate = frameRate
    queue = DispatchQueue(label: "output \(path)")
    var status = stat()
    // UNSAFE: the path is passed as a C string for the call, which fills the struct.
    let isFIFO = unsafe path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    destination = Mutex(
      Destination(file: path == "-" ? .standardOutput : isFIFO ? nil : try Self.open(path)))
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

  /// Creates or truncates a file for writing. Throws if the path cannot be written.
  private static func open(_ path: String) throws(ProgramFailure) -> FileHandle {
    // UNSAFE: the path is passed as a C string for the call.
    let descriptor = unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(.current, name: path) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The reason why writing stopped; `nil` while it works.
  var failure: ProgramFailure? { state.withLock { $0.failure } }
  /// The frames that were dropped because too many were waiting.
  var framesDropped: UInt64 { state.withLock { $0.dropped } }

  /// Reserves room for a frame; the caller then calls ``write(_:)``. Returns `false` if there is no room (the frame then counts
  /// as dropped), or after a failure.
  func reserve() -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.waiting < Self.capacity else {
        state.dropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
  }

  /// Writes a frame on the queue, and frees its room.
  func write(_ picture: CVPixelBuffer) {
    queue.async { [self] in
      defer { state.withLock { $0.waiting -= 1 } }
      guard failure == nil else { return }
      do {
        try destination.withLock { destination in
          guard let file = destination.file else { return }
          let writer =
            try destination.writer
            ?? Y4MWriter(
              fileDescriptor: file.fileDescriptor,
              header: try Y4MHeader(showing: picture, frameRate: frameRate))
          destination.writer = writer
          try writer.write(picture)
        }
      } catch {
        fail(failure(of: error))
      }
    }
  }

  /// Closes the file after all pending writes.
  ///
  /// Throws the failure of the stream, or an error if the reader has not taken the frames within two seconds.
  func close() throws(ProgramFailure) {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      do {
        try destination.withLock { destination in
          defer { destination.file = nil }
          if let file = destination.file, file !== FileHandle.standardOutput { try file.close() }
        }
      } catch {
        fail(failure(of: error))
      }
      done.signal()
    }
    guard done.wait(timeout: .now() + 2) == .success else {
      throw ProgramFailure(
        .inputOutput, "The reader of \(name) takes no more frames; the stream is truncated.")
    }
    if let failure { throw failure }
  }

  /// Records a failure. The first failure is kept, and ends the writing.
  func fail(_ failure: ProgramFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  private func failure(of error: any Error) -> ProgramFailure {
    switch error {
    case Y4MWriter.Error.closed: ProgramFailure(.inputOutput, "The reader of \(name) has exited.")
    case Y4MWriter.Error.write(let errno): Self.failure(Errno(rawValue: errno), name: name)
    case is Y4MWriter.Error: ProgramFailure(.inputOutput, "\(error).")
    default: ProgramFailure(.inputOutput, "\(name): \(error).")
    }
  }

  private static func failure(_ errno: Errno, name: String) -> ProgramFailure {
    let remedy = name == standardOutput ? "name a file" : "name another file, or - for stdout"
    return ProgramFailure(errno: errno.rawValue, "\(name) cannot be written (\(errno)); \(remedy).")
  }
}
