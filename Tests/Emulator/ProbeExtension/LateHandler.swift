import ReplayKit

/// Reads the pixels of a sample when the next one arrives, as a handler with a queue of its own does.
final class LateHandler: RPBroadcastSampleHandler {
  private var last: CVPixelBuffer?

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    if let last {
      CVPixelBufferLockBaseAddress(last, .readOnly)
      CVPixelBufferUnlockBaseAddress(last, .readOnly)
    }
    last = CMSampleBufferGetImageBuffer(sampleBuffer)
  }
}
