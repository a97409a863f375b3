import CoreMedia
import Platform
import ReplayKitCore
import SharedMemory

/// The files of one session: that of the frames, and one for each stream of audio, which is made with its first packet.
struct BroadcastWriters {
  /// The run of the extension that the samples belong to.
  let session: RingSession
  private let frames: any BroadcastFrameWriter
  private let appAudio: AudioPacketWriter
  private let microphone: AudioPacketWriter

  /// Makes the file of the frames.
  init(configuration: BroadcastConfiguration) throws {
    let (container, clock) = (configuration.container, configuration.clock)
    let (width, height) = (configuration.screenWidth, configuration.screenHeight)
    switch configuration.layout {
    case .ring:
      let ring = try FrameWriter(
        path: container.framesFile, width: width, height: height, slotCount: configuration.slotCount,
        clock: clock)
      (frames, session) = (ring, ring.session)
    case .article:
      frames = try ArticleFrameWriter(path: container.articleFile, width: width, height: height)
      session = RingSession(startTime: clock.now)
    }
    appAudio = AudioPacketWriter(path: container.audioFile(for: .app), session: session)
    microphone = AudioPacketWriter(path: container.audioFile(for: .microphone), session: session)
  }

  /// Publishes a sample. Throws when no frame can be published any more.
  /// - Returns: what to report: why the sample is left out, once for each reason.
  func publish(_ sample: CMSampleBuffer, as type: RPSampleBufferType) throws -> String? {
    switch type {
    case .video: try frames.publish(sample)
    case .audioApp: appAudio.publish(sample)
    case .audioMic: microphone.publish(sample)
    @unknown default: nil
    }
  }

  /// Shows readers whether the session is paused.
  func setPaused(_ isPaused: Bool) {
    frames.isPaused = isPaused
    for audio in [appAudio, microphone] { audio.isPaused = isPaused }
  }

  /// Ends the session for readers, and removes its files.
  /// - Returns: what failed; the handler reports the first.
  func finish(error: RingSessionError?) -> [any Error] {
    var failures: [any Error] = []
    do throws(FileError) { try frames.finish(error: error) } catch { failures.append(error) }
    for audio in [appAudio, microphone] {
      do throws(FileError) { try audio.finish() } catch { failures.append(error) }
    }
    return failures
  }
}

/// Where frames are written for the app, whatever their layout.
protocol BroadcastFrameWriter: AnyObject {
  /// Whether the session is paused. Readers see it if the layout has a field for it.
  var isPaused: Bool { get set }
  /// Publishes a frame. Throws when no frame can be published any more.
  /// - Returns: what to report: why the frame is left out, once for each reason.
  func publish(_ sample: CMSampleBuffer) throws -> String?
  /// Ends the session for readers and removes the file.
  func finish(error: RingSessionError?) throws(FileError)
}

/// Publishes frames in the ring. Readers see how many were left out.
private final class FrameWriter: BroadcastFrameWriter {
  private let ring: FrameRingWriter
  private let clock: any MonotonicClock
  private var failure = ReportedReason<PixelBufferSerializer.Failure>()

  /// Makes the ring for frames of a size in pixels.
  init(path: String, width: Int, height: Int, slotCount: Int, clock: any MonotonicClock) throws(FileError) {
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
    try ring.publish(
      byteCount: header.byteCount, captureTime: sample.captureTime,
      orientation: sample.orientationNumber ?? 1, clock: clock
    ) { slot in
      header.write(pixelBuffer, into: &slot)
    }
    return nil
  }

  func finish(error: RingSessionError?) throws(FileError) { try ring.finish(error: error) }
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
