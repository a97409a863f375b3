import Dispatch
import ReplayKit

/// Processes its samples on a private queue, and holds each sample until it is processed.
final class AsynchronousHandler: RPBroadcastSampleHandler {
  private let queue = DispatchQueue(label: "pictures")

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    queue.async {
      guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      let count = CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) * CVPixelBufferGetHeightOfPlane(pixels, 0)
      // UNSAFE: the bytes of the locked plane.
      guard let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0) else { return }
      unsafe withExtendedLifetime(Array(UnsafeRawBufferPointer(start: base, count: count))) {}
    }
  }
}
