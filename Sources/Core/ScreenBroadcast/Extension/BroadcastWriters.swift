import CoreMedia
import CoreVideo
import Platform
import ReplayKitCore
import SharedMemory

/// The files of a session: the frames, and for each audio stream a file that is created with the first packet.
struct BroadcastWriters {
  /// The session that the samples belong to.
  let session: RingSession
  private let frames: Frames
  private let appAudio: AudioPacketWriter
  private let microphone: AudioPacketWriter
  private let clock: any MonotonicClock
  private var failure = OncePerReason<String>()

  /// The file of the frames, by layout.
  private enum Frames {
    case ring(FrameRingWriter)
    case article(ArticleFrameWriter)
  }

  /// Creates the file of the frames.
  init(configuration: BroadcastConfiguration) throws {
    let container = configuration.container
    let (width, height) = (configuration.screenWidth, configuration.screenHeight)
    clock = configuration.clock
    switch configuration.layout {
    case .ring:
      let ring = try FrameRingWriter(
        path: container.framesFile, slotCount: configuration.slotCount,
        payloadCapacity: PixelBufferSerializer.serializedSize(width: width, height: height),
        startTime: clock.now)
      (frames, session) = (.ring(ring), ring.session)
    case .article:
      frames = .article(try ArticleFrameWriter(path: container.articleFile, width: width, height: height))
      session = RingSession(startTime: clock.now)
    }
    appAudio = AudioPacketWriter(path: container.audioFile(for: .app), session: session)
    microphone = AudioPacketWriter(path: container.audioFile(for: .microphone), session: session)
  }

  /// Publishes a sample. Throws if no frame can be published any more.
  /// - Returns: why the sample was dropped, if that is to be reported (once for each reason).
  mutating func publish(_ sample: CMSampleBuffer, as type: RPSampleBufferType) throws -> String? {
    switch type {
    case .video: try publish(sample)
    case .audioApp: appAudio.publish(sample)
    case .audioMic: microphone.publish(sample)
    @unknown default: nil
    }
  }

  private mutating func publish(_ frame: CMSampleBuffer) throws(FileError) -> String? {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(frame) else { return nil }
    let orientation = frame.orientationNumber ?? 1
    let problem: String? =
      switch frames {
      case .ring(let ring): try ring.publish(pixelBuffer, frame.captureTime, orientation, clock)
      case .article(let file): try file.write(pixelBuffer, orientation: orientation)
      }
    guard failure.changes(to: problem), let problem else { return nil }
    return "A frame is skipped: \(problem)"
  }

  /// Shows readers whether the session is paused. The article's layout has no field for it.
  func setPaused(_ isPaused: Bool) {
    if case .ring(let ring) = frames { ring.isPaused = isPaused }
    for audio in [appAudio, microphone] { audio.isPaused = isPaused }
  }

  /// Ends the session for readers, and removes its files.
  /// - Returns: all failures; the handler keeps the first one.
  func finish(error: RingSessionError?) -> [any Error] {
    var failures: [any Error] = []
    do throws(FileError) {
      switch frames {
      case .ring(let ring): try ring.finish(error: error)
      case .article(let file): try file.finish()
      }
    } catch { failures.append(error) }
    for audio in [appAudio, microphone] {
      do throws(FileError) { try audio.finish() } catch { failures.append(error) }
    }
    return failures
  }
}

extension FrameRingWriter {
  /// Publishes a pixel buffer. Throws if no frame can be published any more.
  /// - Returns: why the frame was dropped (readers see the count of drops); `nil` if it was published.
  fileprivate func publish(
    _ pixelBuffer: CVPixelBuffer, _ captureTime: MonotonicTime, _ orientation: UInt32,
    _ clock: any MonotonicClock
  ) throws(FileError) -> String? {
    let header: PixelBufferSerializer.Header
    do { header = try PixelBufferSerializer.Header(of: pixelBuffer) } catch {
      countDrop()
      return error.description
    }
    try publish(
      byteCount: header.byteCount, captureTime: captureTime, orientation: orientation, clock: clock
    ) { header.write(pixelBuffer, into: &$0) }
    return nil
  }
}

extension CMSampleBuffer {
  /// The orientation that ReplayKit attaches to a frame, a raw value of `CGImagePropertyOrientation`; `nil` if there is none.
  package var orientationNumber: UInt32? {
    CMGetAttachment(self, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
  }

  /// The time at which the sample was captured; zero if it is invalid or before the clock's origin.
  package var captureTime: MonotonicTime {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(self), timescale: 1_000_000_000, method: .default)
    return MonotonicTime(nanoseconds: UInt64(clamping: time.value))
  }
}
