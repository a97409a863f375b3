import ReplayKit

/// Reads the pixels of a sample, which it did not hold, when the next one arrives.
final class LateHandler: RPBroadcastSampleHandler {
  /// The address of the last sample's pixels.
  private var last: UInt = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    // UNSAFE: the misuse that this handler is for.
    _ = unsafe UnsafeRawPointer(bitPattern: last)?.load(as: UInt8.self)
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    last = UInt(bitPattern: unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0))
    CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
  }
}
