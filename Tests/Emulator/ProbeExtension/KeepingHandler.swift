import ReplayKit
import os

final class KeepingHandler: RPBroadcastSampleHandler {
  private var samples: [CMSampleBuffer] = []

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if samples.isEmpty {
      Logger(subsystem: "ProbeExtension", category: "samples").notice("The first sample is kept.")
    }
    samples.append(sampleBuffer)
  }
}
