import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import Synchronization

/// A Y4M stream that is written on one queue while another counts what waits for it.
final class Y4MStream: Sendable {
  /// The file, for messages.
  let name: String
  private let framesPerSecond: Double
  private let state = Mutex(State())
  /// Used on the writing queue alone; writing may take long, so it has a lock of its own.
  private let destination: Mutex<Destination>

  private struct Destination {
    /// `nil` before a FIFO is opened, which waits for its reader.
    var descriptor: Int32?
    var writer: Y4MWriter?
  }

  private struct State {
    var waiting = 0
    var failure: ProgramFailure?
    var framesDropped: UInt64 = 0
  }

  /// The most frames that wait to be written.
  private static let capacity = 8

  /// Opens the file at `path`, or standard output for `-`. A FIFO is opened by
  /// ``open()``, since that waits for its reader.
  init(path: String, framesPerSecond: Double) throws(ProgramFailure) {
    self.framesPerSecond = framesPerSecond
    guard path != "-" else {
      name = "standard output"
      destination = Mutex(Destination(descriptor: STDOUT_FILENO))
      return
    }
    name = path
    destination = Mutex(Destination(descriptor: OutputFile.isFIFO(path) ? nil : try OutputFile.open(path)))
  }

  var failure: ProgramFailure? { state.withLock { $0.failure } }
  var framesDropped: UInt64 { state.withLock { $0.framesDropped } }

  /// Opens what is not open yet, on the writing queue.
  func open() {
    do throws(ProgramFailure) {
      try destination.withLock { destination throws(ProgramFailure) in
        if destination.descriptor == nil { destination.descriptor = try OutputFile.open(name) }
      }
    } catch {
      fail(error)
    }
  }

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
      try destination.withLock { destination in
        guard let descriptor = destination.descriptor else { return }
        let writer =
          try destination.writer ?? Y4MWriter(fileDescriptor: descriptor, header: header(for: picture))
        destination.writer = writer
        try writer.write(picture)
      }
    } catch Y4MWriter.Error.closed {
      fail(ProgramFailure(.inputOutput, "The reader of \(name) has gone."))
    } catch let error as Y4MWriter.Error {
      fail(
        error.errno.map { OutputFile.failure($0, name: name) } ?? ProgramFailure(.inputOutput, "\(error)."))
    } catch {
      fail(ProgramFailure(.internalError, "\(error)."))
    }
  }

  func close() {
    let descriptor = destination.withLock { $0.descriptor.take() }
    guard let descriptor, descriptor != STDOUT_FILENO else { return }
    if Foundation.close(descriptor) != 0 { fail(OutputFile.failure(errno, name: name)) }
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
}
