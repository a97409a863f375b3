import AVFoundation
import ReplayKit

/// A movie of the screen in the group's folder, optionally with audio.
final class Movie {
  private let writer: AVAssetWriter
  private let video: AVAssetWriterInput
  private var audio: [RPSampleBufferType: AVAssetWriterInput] = [:]
  private var hasStarted = false

  /// The size is half the frame's, rounded to even numbers as encoders require.
  init(like pixels: CVPixelBuffer, codec: AVVideoCodecType, withSound: Bool = false) throws {
    writer = try AVAssetWriter(outputURL: Group.recording(), fileType: .mp4)
    video = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: codec, AVVideoWidthKey: CVPixelBufferGetWidth(pixels) / 4 * 2,
        AVVideoHeightKey: CVPixelBufferGetHeight(pixels) / 4 * 2,
        AVVideoScalingModeKey: AVVideoScalingModeResizeAspect,
      ])
    video.expectsMediaDataInRealTime = true
    writer.add(video)
    for type in withSound ? [RPSampleBufferType.audioApp, .audioMic] : [] {
      let input = AVAssetWriterInput(
        mediaType: .audio,
        outputSettings: [
          AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
          AVEncoderBitRateKey: 64_000,
        ])
      input.expectsMediaDataInRealTime = true
      writer.add(input)
      audio[type] = input
    }
    guard writer.startWriting() else { throw writer.error ?? Group.error("The film cannot be written.") }
  }

  /// Whether writing has failed, for example because the device was locked.
  var hasFailed: Bool { writer.status == .failed }

  func append(_ sampleBuffer: CMSampleBuffer, of type: RPSampleBufferType = .video) {
    // One input for two streams: their times do not increase.
    let audioType = PlantedFault.mixesSound.isPlanted ? .audioApp : type
    guard writer.status == .writing, let input = type == .video ? video : audio[audioType] else { return }
    if !hasStarted {
      // A movie that starts with audio is black until the first frame.
      guard type == .video else { return }
      writer.startSession(atSourceTime: CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
      hasStarted = true
    }
    if input.isReadyForMoreMediaData { input.append(sampleBuffer) }
  }

  /// Completes the movie, and waits until the file is complete (at most 10 s).
  func finish() {
    guard !hasFailed else { return }
    guard hasStarted else { return writer.cancelWriting() }
    for input in [video] + audio.values { input.markAsFinished() }
    let isComplete = DispatchSemaphore(value: 0)
    writer.finishWriting { isComplete.signal() }
    if isComplete.wait(timeout: .now() + 10) == .timedOut { NSLog("%@", "The film is not complete.") }
  }
}

extension CMSampleBuffer {
  /// Returns a copy with changed presentation times.
  func retimed(_ change: (CMTime) -> CMTime) -> CMSampleBuffer? {
    var (count, copy): (CMItemCount, CMSampleBuffer?) = (0, nil)
    CMSampleBufferGetSampleTimingInfoArray(self, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
    var timings = [CMSampleTimingInfo](repeating: CMSampleTimingInfo(), count: count)
    CMSampleBufferGetSampleTimingInfoArray(
      self, entryCount: count, arrayToFill: &timings, entriesNeededOut: nil)
    for index in timings.indices {
      timings[index].presentationTimeStamp = change(timings[index].presentationTimeStamp)
    }
    CMSampleBufferCreateCopyWithNewTiming(
      allocator: nil, sampleBuffer: self, sampleTimingEntryCount: count, sampleTimingArray: timings,
      sampleBufferOut: &copy)
    return copy
  }
}
