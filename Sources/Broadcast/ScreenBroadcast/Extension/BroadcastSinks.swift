import Platform
import ReplayKit
import SharedMemory

/// The files of one session: that of the frames, and one for each stream of audio, which is made with its first packet.
struct BroadcastSinks {
  /// The run of the extension that the samples belong to.
  let session: RingSession
  private let sinks: [RPSampleBufferType: any SampleSink]

  /// Makes the file of the frames.
  init(configuration: BroadcastConfiguration) throws {
    let (container, clock) = (configuration.container, configuration.clock)
    let (width, height) = (configuration.screenWidth, configuration.screenHeight)
    let frames: any SampleSink
    switch configuration.layout {
    case .ring:
      let ring = try FrameRingSink(
        path: container.framesFile, width: width, height: height, slotCount: configuration.slotCount,
        clock: clock)
      (frames, session) = (ring, ring.session)
    case .article:
      frames = try ArticleFrameWriter(path: container.articleFile, width: width, height: height)
      session = RingSession(startTime: clock.now)
    }
    sinks = [
      .video: frames,
      .audioApp: AudioPacketWriter(path: container.audioFile(for: .app), session: session),
      .audioMic: AudioPacketWriter(path: container.audioFile(for: .microphone), session: session),
    ]
  }

  subscript(type: RPSampleBufferType) -> (any SampleSink)? { sinks[type] }

  /// Shows readers whether the session is paused.
  func setPaused(_ isPaused: Bool) {
    for sink in sinks.values { sink.isPaused = isPaused }
  }

  /// Ends the session for readers, and removes its files.
  /// - Returns: what failed.
  func finish(error: RingSessionError?) -> [any Error] {
    // In this order: the first failure is the one that the handler reports.
    [RPSampleBufferType.video, .audioApp, .audioMic].compactMap { type in
      do throws(StorageError) { try sinks[type]?.finish(error: error) } catch { return error }
      return nil
    }
  }
}
