import ReplayKit

/// Ends the broadcast when app audio becomes silent or audible again.
final class SilenceHandler: RPBroadcastSampleHandler {
  private var wasSilent: Bool?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .audioApp, let block = CMSampleBufferGetDataBuffer(sampleBuffer) else { return }
    var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
    // UNSAFE: the array has the length of the block.
    _ = unsafe CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: bytes.count, destination: &bytes)
    let isSilent = bytes.allSatisfy { $0 == 0 }
    if isSilent != wasSilent ?? isSilent { fail("Silence.") }
    wasSilent = isSilent
  }
}

/// Crashes at a packet of app audio that does not have 1024 frames.
final class PacketHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    precondition(type != .audioApp || CMSampleBufferGetNumSamples(sampleBuffer) == 1024, "The packet's size.")
  }
}

/// Crashes if five packets of the microphone arrive before any app audio.
final class NoMicrophoneHandler: RPBroadcastSampleHandler {
  private var hasAppAudio = false
  private var packets = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if type == .audioApp { hasAppAudio = true }
    if type == .audioMic { packets += 1 }
    precondition(hasAppAudio || packets < 5, "The microphone alone.")
  }
}

/// Ends the broadcast if no audio has arrived for 0.6 s of video.
final class PairingHandler: RPBroadcastSampleHandler {
  private var lastAudio: CMTime?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    if type != .video || lastAudio == nil { lastAudio = time }
    if let lastAudio, CMTimeGetSeconds(CMTimeSubtract(time, lastAudio)) > 0.6 { fail("There is no audio.") }
  }
}
