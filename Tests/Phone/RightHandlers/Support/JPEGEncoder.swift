import CoreImage
import ReplayKit

/// Encodes frames as upright, scaled-down JPEGs.
final class JPEGEncoder {
  private let context = CIContext(options: [.useSoftwareRenderer: false])
  private let scale: CGFloat
  private let quality: Double

  init(scale: CGFloat = 0.5, quality: Double = 0.6) {
    self.scale = scale
    self.quality = quality
  }

  func encode(_ sampleBuffer: CMSampleBuffer) -> Data? {
    guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return nil }
    return encode(pixels, orientation(of: sampleBuffer))
  }

  /// A black picture.
  func blank() -> Data? {
    var pixels: CVPixelBuffer?
    CVPixelBufferCreate(nil, 128, 256, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &pixels)
    guard let pixels else { return nil }
    fill(pixels) { plane, to, count in memset(to, plane == 0 ? 0 : 128, count) }
    return encode(pixels, .up)
  }

  private func encode(_ pixels: CVPixelBuffer, _ orientation: CGImagePropertyOrientation) -> Data? {
    let pixels = PlantedFault.takesWidthForRow.isPlanted ? sheared(pixels) ?? pixels : pixels
    let image = CIImage(cvPixelBuffer: pixels).oriented(orientation)
      .transformed(by: CGAffineTransform(scaleX: scale, y: scale))
    let key = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String)
    return context.jpegRepresentation(
      of: PlantedFault.mirrors.isPlanted ? image.oriented(.upMirrored) : image,
      colorSpace: CGColorSpaceCreateDeviceRGB(), options: [key: quality])
  }

  /// Returns the rotation that shows the frame upright. ReplayKit names the edge where the top of the content is.
  private func orientation(of sampleBuffer: CMSampleBuffer) -> CGImagePropertyOrientation {
    let key = RPVideoSampleOrientationKey as CFString
    let edge = CMGetAttachment(sampleBuffer, key: key, attachmentModeOut: nil)?.uint32Value
    guard !PlantedFault.ignoresOrientation.isPlanted else { return .up }
    switch edge.flatMap(CGImagePropertyOrientation.init) {
    case .left: return .right
    case .right: return .left
    case .down: return .down
    default: return .up
    }
  }

  /// Returns a copy of a frame that is read as if its rows were as long as it is wide.
  private func sheared(_ pixels: CVPixelBuffer) -> CVPixelBuffer? {
    var copy: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels),
      CVPixelBufferGetPixelFormatType(pixels), nil, &copy)
    guard let copy else { return nil }
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    fill(copy) { plane, to, _ in
      guard let from = CVPixelBufferGetBaseAddressOfPlane(pixels, plane) else { return }
      let length = CVPixelBufferGetWidthOfPlane(copy, plane) * (plane + 1)
      let rowBytes = CVPixelBufferGetBytesPerRowOfPlane(copy, plane)
      for row in 0..<CVPixelBufferGetHeightOfPlane(copy, plane) {
        memcpy(to + row * rowBytes, from + row * length, length)
      }
    }
    return copy
  }

  private func fill(_ pixels: CVPixelBuffer, _ body: (Int, UnsafeMutableRawPointer, Int) -> Void) {
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    for plane in 0..<2 {
      guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, plane) else { continue }
      body(
        plane, base,
        CVPixelBufferGetBytesPerRowOfPlane(pixels, plane) * CVPixelBufferGetHeightOfPlane(pixels, plane))
    }
  }
}

/// Limits the rate of frames by their timestamps.
struct FrameLimiter {
  private let interval: Double
  private var last = -Double.infinity

  init(framesPerSecond: Double) { interval = 1 / framesPerSecond }

  mutating func lets(_ sampleBuffer: CMSampleBuffer) -> Bool {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds
    // The timestamps of frames are not exact.
    guard time - last > interval * 0.9 else { return false }
    last = time
    return true
  }
}
