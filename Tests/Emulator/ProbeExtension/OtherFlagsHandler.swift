import ReplayKit

/// Unlocks each frame with other flags than it locks it with.
final class OtherFlagsHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    CVPixelBufferUnlockBaseAddress(pixels, [])
  }
}

/// Overrides `beginRequest(with:)` without calling `super`.
final class SuperlessHandler: RPBroadcastSampleHandler {
  override func beginRequest(with context: NSExtensionContext) {}
}
