import CoreVideo

/// The range of the samples of a frame.
package enum SampleRange: Sendable, Equatable {
  /// Luma 16…235 and chroma 16…240: 420v, and the default of a Y4M clip.
  case limited
  /// The whole byte: 420f.
  case full

  /// Returns the range of a pixel format, or `nil` for a format other than 420f and 420v.
  package init?(pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .limited
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .full
    default: return nil
    }
  }
}
