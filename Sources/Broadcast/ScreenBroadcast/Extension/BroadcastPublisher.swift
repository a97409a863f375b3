import CoreMedia
import Platform
import ReplayKit
import SharedMemory

/// Publishes the samples of one session: frames to a ``FrameSink``, audio to one file for each stream.
///
/// It reports nothing itself: its caller holds a lock, and reports what the functions return afterwards.
struct BroadcastPublisher {
  private let frames: any FrameSink
  private let clock: any MonotonicClock
  private var audio: [BroadcastAudioStream: AudioPacketWriter] = [:]
  /// Why frames are left out, as reported last.
  private var frameDrops = ReportedReason<String>()

  /// Makes the file of the frames. The files of audio are made with the first packets.
  init(configuration: BroadcastConfiguration) throws {
    clock = configuration.clock
    let container = configuration.container
    let (width, height) = (configuration.screenWidth, configuration.screenHeight)
    switch configuration.layout {
    case .ring:
      frames = try FrameRingWriter(
        path: container.framesFile, slotCount: configuration.slotCount,
        payloadCapacity: PixelBufferSerializer.serializedSize(width: width, height: height),
        startTime: clock.now)
    case .article:
      frames = try ArticleFrameWriter(
        path: container.articleFile, width: width, height: height,
        session: RingSession(startTime: clock.now))
    }
    for stream in BroadcastAudioStream.allCases {
      audio[stream] = AudioPacketWriter(path: container.audioFile(for: stream), session: frames.session)
    }
  }

  /// The run of the extension that the samples belong to.
  var session: RingSession { frames.session }

  /// Whether readers see the session as paused.
  var isPaused = false {
    didSet {
      frames.isPaused = isPaused
      for stream in audio.keys { audio[stream]?.isPaused = isPaused }
    }
  }

  /// Removes the audio files of an extension that crashed.
  /// - Returns: what to report.
  func removeOrphanedAudio() -> [String] {
    audio.values.compactMap { writer in
      do throws(StorageError) { try writer.removeOrphan() } catch {
        return "Audio of an earlier broadcast cannot be removed: \(error)"
      }
      return nil
    }
  }

  /// Publishes a frame of the screen. Throws when no frame can be published any more.
  /// - Returns: what to report: why the frame is left out, once for each reason.
  mutating func publishFrame(_ sample: CMSampleBuffer) throws -> String? {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample) else { return nil }
    do throws(FrameSinkError) {
      try frames.publish(
        pixelBuffer, orientation: sample.orientationNumber ?? 1, captureTime: sample.captureTime,
        clock: clock)
      return nil
    } catch {
      switch error {
      case .failed(let error): throw error
      case .dropped(nil): return nil
      case .dropped(let reason?):
        return frameDrops.changes(to: reason) ? "A frame is left out: \(reason)" : nil
      }
    }
  }

  /// Publishes a packet of audio. A packet that cannot be published is counted, and frames continue without it.
  /// - Returns: what to report: why the packet is left out, once for each reason.
  mutating func publishAudio(_ packet: CMSampleBuffer, to stream: BroadcastAudioStream) -> String? {
    guard let failure = audio[stream]?.write(packet) else { return nil }
    return "Audio is left out: \(failure)"
  }

  /// Ends the session for readers, and removes its files.
  /// - Returns: what failed.
  mutating func finish(error: RingSessionError?) -> [any Error] {
    var failures: [any Error] = []
    do throws(StorageError) { try frames.finish(error: error) } catch { failures.append(error) }
    for stream in audio.keys {
      do throws(StorageError) { try audio[stream]?.finish() } catch { failures.append(error) }
    }
    return failures
  }
}
