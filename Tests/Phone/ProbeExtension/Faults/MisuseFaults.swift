import ReplayKit
import os

/// Reads pixels without locking the buffer.
final class UnlockingHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    // UNSAFE: the misuse that this handler is for.
    _ = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0)?.load(as: UInt8.self)
  }
}

/// Locks buffers and never unlocks them.
final class HoardingHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
    }
  }
}

/// Reads the pixels of a sample that it did not hold, when the next sample arrives.
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

final class KeepingHandler: RPBroadcastSampleHandler {
  private var samples: [CMSampleBuffer] = []

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if samples.isEmpty {
      Logger(subsystem: "ProbeExtension", category: "samples").notice("The first sample is kept.")
    }
    samples.append(sampleBuffer)
  }
}

/// Overrides `beginRequest(with:)` without calling `super`.
final class SuperlessHandler: RPBroadcastSampleHandler {
  override func beginRequest(with context: NSExtensionContext) {}
}
