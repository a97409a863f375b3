import CoreVideo

/// The pixel format of the emulated screen, typed as Core Video's four characters.
package enum ScreenFormat: String, CaseIterable, Sendable {
  /// Full range: luma 0 to 255. What ReplayKit delivers.
  case fullRange = "420f"
  /// Video range: luma 16 to 235.
  case videoRange = "420v"

  /// Core Video's constant for it.
  package var pixelFormat: OSType {
    switch self {
    case .fullRange: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    case .videoRange: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
  }
}
