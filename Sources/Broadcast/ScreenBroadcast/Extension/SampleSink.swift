import CoreMedia
import Platform
import ReplayKit
import SharedMemory

/// Where the samples of one kind are written for the app: frames, or one stream of audio.
protocol SampleSink: AnyObject {
  /// Whether the session is paused. Readers see it if the layout has a field for it.
  var isPaused: Bool { get set }
  /// Publishes a sample. Throws when no frame can be published any more.
  /// - Returns: what to report: why the sample is left out, once for each reason.
  func publish(_ sample: CMSampleBuffer) throws -> String?
  /// Ends the session for readers and removes the file.
  func finish(error: RingSessionError?) throws(StorageError)
}

/// Publishes frames in the ring. Readers see how many were left out.
final class FrameRingSink: SampleSink {
  private let ring: FrameRingWriter
  private let clock: any MonotonicClock
  private var failure = ReportedReason<PixelBufferSerializer.Failure>()

  /// Makes the ring for frames of a size in pixels.
  init(path: String, width: Int, height: Int, slotCount: Int, clock: any MonotonicClock) throws(RingError) {
    self.clock = clock
    ring = try FrameRingWriter(
      path: path, slotCount: slotCount,
      payloadCapacity: PixelBufferSerializer.serializedSize(width: width, height: height),
      startTime: clock.now)
  }

  var session: RingSession { ring.session }

  var isPaused: Bool {
    get { ring.isPaused }
    set { ring.isPaused = newValue }
  }

  func publish(_ sample: CMSampleBuffer) throws -> String? {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample) else { return nil }
    // The compiler opens an existential that is local, and not one that is a property.
    let clock = clock
    let header: PixelBufferSerializer.Header
    do { header = try PixelBufferSerializer.Header(of: pixelBuffer) } catch {
      ring.countDrop()
      return failure.changes(to: error) ? "A frame is left out: \(error)" : nil
    }
    _ = failure.changes(to: nil)
    do throws(FrameRingWriter.PublishError<Never>) {
      try ring.publish(
        byteCount: header.byteCount, captureTime: sample.captureTime,
        orientation: sample.orientationNumber ?? 1, clock: clock
      ) { slot in
        header.write(pixelBuffer, into: &slot)
      }
    } catch {
      switch error {
      case .ring(let error): throw error
      }
    }
    return nil
  }

  func finish(error: RingSessionError?) throws(StorageError) { try ring.finish(error: error) }
}

extension CMSampleBuffer {
  /// The orientation that ReplayKit attaches to a frame, a raw value of `CGImagePropertyOrientation`; `nil` without one.
  package var orientationNumber: UInt32? {
    CMGetAttachment(self, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
  }

  /// When it was taken; zero for a time before the clock's start and for an invalid one.
  package var captureTime: MonotonicTime {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(self), timescale: 1_000_000_000, method: .default)
    return MonotonicTime(nanoseconds: UInt64(clamping: time.value))
  }
}
