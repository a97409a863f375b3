import ReplayKit

/// Keeps its first sample for ever.
final class KeepingHandler: RPBroadcastSampleHandler {
  private var first: CMSampleBuffer?

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if first == nil { first = sampleBuffer }
  }
}
