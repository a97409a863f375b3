import ReplayKit
import os

/// Keeps its first sample for ever.
final class KeepingHandler: RPBroadcastSampleHandler {
  private var first: CMSampleBuffer?

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard first == nil else { return }
    first = sampleBuffer
    Logger(subsystem: "ProbeExtension", category: "samples").notice("The first sample is kept.")
  }
}
