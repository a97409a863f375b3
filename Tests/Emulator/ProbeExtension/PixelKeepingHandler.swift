import ReplayKit

/// Keeps the pixel buffer of a sample, without the sample, and reads it when the next one arrives.
final class PixelKeepingHandler: RPBroadcastSampleHandler {
  private var last: CVPixelBuffer?

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if let last {
      CVPixelBufferLockBaseAddress(last, .readOnly)
      CVPixelBufferUnlockBaseAddress(last, .readOnly)
    }
    last = CMSampleBufferGetImageBuffer(sampleBuffer)
  }
}
