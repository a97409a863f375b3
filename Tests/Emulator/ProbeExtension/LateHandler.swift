import ReplayKit

/// Reads the pixels of a sample when the next one is there, as a handler does that hands them to a queue.
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
