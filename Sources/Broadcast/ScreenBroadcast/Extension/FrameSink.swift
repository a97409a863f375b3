import CoreVideo
import Platform
import SharedMemory

/// Where the frames of a session are written, whatever their layout.
protocol FrameSink: AnyObject {
  /// The run of the extension that the frames belong to.
  var session: RingSession { get }
  /// Whether the session is paused. Readers see it if the layout has a field for it.
  var isPaused: Bool { get set }
  /// Publishes a frame for the app.
  func publish(
    _ pixelBuffer: CVPixelBuffer, orientation: UInt32, captureTime: MonotonicTime, clock: any MonotonicClock
  ) throws(FrameSinkError)
  /// Ends the session for readers and removes the file.
  func finish(error: RingSessionError?) throws(StorageError)
}

/// Why a frame was not published.
enum FrameSinkError: Error {
  /// The sink cannot write this frame; later ones may be fine. The text is `nil` where readers see a count of drops.
  case dropped(String?)
  /// The sink cannot write frames any more.
  case failed(any Error)
}

extension FrameRingWriter: FrameSink {
  func publish(
    _ pixelBuffer: CVPixelBuffer, orientation: UInt32, captureTime: MonotonicTime, clock: any MonotonicClock
  ) throws(FrameSinkError) {
    let header: PixelBufferSerializer.Header
    do { header = try PixelBufferSerializer.Header(of: pixelBuffer) } catch {
      countDrop()
      throw .dropped(nil)
    }
    do throws(PublishError<Never>) {
      try publish(
        byteCount: header.byteCount, captureTime: captureTime, orientation: orientation,
        clock: clock
      ) { slot in
        header.write(pixelBuffer, into: &slot)
      }
    } catch {
      switch error {
      case .ring(let error): throw .failed(error)
      }
    }
  }
}
