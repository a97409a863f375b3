import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import Synchronization

/// A Y4M stream that is written on one queue while another counts what waits for it.
final class Y4MStream: Sendable {
  /// The file, for messages.
  let name: String
  private let descriptor: Int32
  private let framesPerSecond: Double
  private let state = Mutex(State())
  /// Used on the writing queue alone; writing may take long, so it has a lock of its own.
  private let writer = Mutex<Y4MWriter?>(nil)

  private struct State {
    var waiting = 0
    var failure: ProgramFailure?
    var framesDropped: UInt64 = 0
  }

  /// The most frames that wait to be written.
  private static let capacity = 8

  /// Opens the file at `path`, or standard output for `-`.
  init(path: String, framesPerSecond: Double) throws(ProgramFailure) {
    self.framesPerSecond = framesPerSecond
    guard path != "-" else {
      (descriptor, name) = (STDOUT_FILENO, "standard output")
      return
    }
    name = path
    // UNSAFE: the path is lent to the call as a C string.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(errno, name: path) }
  }

  var failure: ProgramFailure? { state.withLock { $0.failure } }
  var framesDropped: UInt64 { state.withLock { $0.framesDropped } }

  /// Takes the place of one frame in the waiting line, or counts it as dropped when the line is full.
  func takesMore() -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      guard state.waiting < Self.capacity else {
        state.framesDropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
  }

  /// Writes a frame that took its place before; the first one decides the stream's size and range.
  func write(_ picture: CVPixelBuffer) {
    defer { state.withLock { $0.waiting -= 1 } }
    guard failure == nil else { return }
    do {
      try writer.withLock { writer in
        let present = try writer ?? Y4MWriter(fileDescriptor: descriptor, header: header(for: picture))
        writer = present
        try present.write(picture)
      }
    } catch Y4MWriter.Error.closed {
      fail(ProgramFailure(.inputOutput, "The reader of \(name) has gone."))
    } catch let error as Y4MWriter.Error {
      fail(error.errno.map { Self.failure($0, name: name) } ?? ProgramFailure(.inputOutput, "\(error)."))
    } catch {
      fail(ProgramFailure(.internalError, "\(error)."))
    }
  }

  func close() {
    if descriptor != STDOUT_FILENO, Foundation.close(descriptor) != 0 {
      fail(Self.failure(errno, name: name))
    }
  }

  /// Notes the first failure; nothing is written after it.
  func fail(_ failure: ProgramFailure) {
    state.withLock { if $0.failure == nil { $0.failure = failure } }
  }

  private func header(for picture: CVPixelBuffer) throws -> Y4MHeader {
    let isVideoRange =
      CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    return try Y4MHeader(
      width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture),
      frameRate: Self.ratio(framesPerSecond),
      range: isVideoRange ? .limited : .full)
  }

  private static func ratio(_ framesPerSecond: Double) -> Y4MHeader.Ratio {
    let whole = framesPerSecond.rounded()
    return framesPerSecond == whole
      ? Y4MHeader.Ratio(Int(whole), 1) : Y4MHeader.Ratio(Int((framesPerSecond * 1000).rounded()), 1000)
  }

  private static func failure(_ code: Int32, name: String) -> ProgramFailure {
    // UNSAFE: strerror returns a string of the C library, copied at once.
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return ProgramFailure(
      errno: code, "\(name) cannot be written (\(reason)); name another file, or - for standard output.")
  }
}
