import ReplayKit

/// A handler with a fault that shows in its frames.
class FrameHandler: RPBroadcastSampleHandler {
  func process(_ pixels: CVPixelBuffer, at time: Double) {}

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    process(pixels, at: CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer)))
  }
}

/// Crashes at a frame of another size than the first.
final class FixedSizeHandler: FrameHandler {
  private var width: Int?

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    let first = width ?? CVPixelBufferGetWidth(pixels)
    width = first
    precondition(first == CVPixelBufferGetWidth(pixels), "The size changed.")
  }
}

/// Ends the broadcast at a frame of odd width.
final class EvenSizeHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    if CVPixelBufferGetWidth(pixels) % 2 == 1 { fail("Odd.") }
  }
}

/// Ends the broadcast at a frame in video range.
final class FullRangeHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    let format = CVPixelBufferGetPixelFormatType(pixels)
    if format != kCVPixelFormatType_420YpCbCr8BiPlanarFullRange { fail("Not in full range.") }
  }
}

/// Ends the broadcast after a gap of more than half a second between two frames.
final class GapHandler: FrameHandler {
  private var last: Double?

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    if let last, time - last > 0.5 { fail("Frames are missing.") }
    last = time
  }
}

/// Ends the broadcast when three frames arrive within a hundredth of a second.
final class EvenPaceHandler: FrameHandler {
  private var arrivals: [ContinuousClock.Instant] = []

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    arrivals.append(.now)
    guard arrivals.count > 2 else { return }
    if arrivals[2] - arrivals.removeFirst() < .milliseconds(10) { fail("Too many frames.") }
  }
}

/// Needs 20 ms for a frame.
final class SlowHandler: FrameHandler {
  override func process(_ pixels: CVPixelBuffer, at time: Double) { Thread.sleep(forTimeInterval: 0.02) }
}

/// Keeps a copy of each large frame.
final class GrowingHandler: FrameHandler {
  private var copies: [[UInt8]] = []

  override func process(_ pixels: CVPixelBuffer, at time: Double) {
    copies.append([UInt8](repeating: 1, count: CVPixelBufferGetDataSize(pixels)))
  }
}
