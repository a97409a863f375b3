import ReplayKit

/// Reads pixels without locking the buffer.
final class UnlockingHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    // UNSAFE: the misuse that this handler is for.
    _ = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0)?.load(as: UInt8.self)
  }
}
