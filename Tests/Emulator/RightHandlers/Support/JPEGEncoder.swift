import CoreImage
import ReplayKit

/// Makes a JPEG of half the size of a frame.
final class JPEGEncoder {
  private let context = CIContext(options: [.useSoftwareRenderer: false])

  func encode(_ pixels: CVPixelBuffer) -> Data? {
    let image = CIImage(cvPixelBuffer: pixels).transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
    let quality = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String)
    return context.jpegRepresentation(
      of: image, colorSpace: CGColorSpaceCreateDeviceRGB(), options: [quality: 0.6])
  }
}

/// Lets a frame pass after each interval of the frames' own time.
struct FrameLimiter {
  private let interval: Double
  private var last = -Double.infinity

  init(framesPerSecond: Double) { interval = 1 / framesPerSecond }

  mutating func lets(_ sampleBuffer: CMSampleBuffer) -> Bool {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds
    // The times of frames are not exact.
    guard time - last > interval * 0.9 else { return false }
    last = time
    return true
  }
}
