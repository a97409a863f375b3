import Dispatch
import QuartzCore
import ReplayKit

/// A handler with a fault that shows in its frames.
class FrameHandler: RPBroadcastSampleHandler {
  func process(_ pixels: CVPixelBuffer, at time: Double) {}

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    process(pixels, at: CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer)))
  }
}

/// Crashes at a frame whose width differs from the first frame's.
final class FixedSizeHandler: FrameHandler {
  private var width: Int?

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    let first = width ?? CVPixelBufferGetWidth(pixels)
    width = first
    precondition(first == CVPixelBufferGetWidth(pixels), "The size changed.")
  }
}

/// Ends the broadcast at a frame that mixes two frames. Each row of a `proof` frame has the frame number in its eighth byte.
final class MixedFrameHandler: FrameHandler {
  private var hasWholeFrame = false

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let (height, length) = (CVPixelBufferGetHeight(pixels), CVPixelBufferGetBytesPerRowOfPlane(pixels, 0))
    guard let base = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0) else { return }
    var isWhole = true
    // As long as a conversion on the CPU takes.
    for row in 0..<16 * height {
      // UNSAFE: the bytes are in the locked luma plane.
      let byte = unsafe base.load(fromByteOffset: row % height * length + 7, as: UInt8.self)
      let first = unsafe base.load(fromByteOffset: 7, as: UInt8.self)
      if Self.digit(of: byte) != Self.digit(of: first) { isWhole = false }
    }
    if isWhole { hasWholeFrame = true } else if hasWholeFrame { fail("A frame is mixed.") }
  }

  /// The digit of a byte at any of the three levels of the pattern.
  static func digit(of byte: UInt8) -> Int { (Int(byte) - [64, 161, 18, 0][Int(byte & 3)]) / 4 }
}

/// Ends the broadcast at a frame in video range.
final class FullRangeHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    let format = CVPixelBufferGetPixelFormatType(pixels)
    if format != kCVPixelFormatType_420YpCbCr8BiPlanarFullRange { fail("Not in full range.") }
  }
}

/// Ends the broadcast after a gap of more than half a second between two frames.
class GapHandler: FrameHandler {
  var longestGap: Double { 0.5 }
  private var last: Double?

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    if let last, time - last > longestGap { fail("Frames are missing.") }
    last = time
  }
}

/// Ends the broadcast if the screen is unchanged for more than 1.5 s.
final class StillEndingHandler: GapHandler { override var longestGap: Double { 1.5 } }

/// Ends the broadcast if a frame is more than 120 ms old. The first frame of a burst of six is that old on any host.
final class EvenPaceHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    if CACurrentMediaTime() - time > 0.12 { fail("An old frame.") }
  }
}

/// Needs 20 ms per frame.
final class SlowHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) { Thread.sleep(forTimeInterval: 0.02) }
}

/// Leaks copies of each frame of the largest device.
final class GrowingHandler: FrameHandler {
  private var copies: [[UInt8]] = []

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    if CVPixelBufferGetWidth(pixels) < 2000 || CVPixelBufferGetHeight(pixels) < 2000 { return }
    // Three copies, so that the few frames of an overloaded host suffice.
    for _ in 0..<3 { copies.append([UInt8](repeating: 1, count: CVPixelBufferGetDataSize(pixels))) }
  }
}
