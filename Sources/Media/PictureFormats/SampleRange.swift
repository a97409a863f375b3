import CoreVideo

/// How much of a byte the samples of a picture use.
public enum SampleRange: Sendable, Equatable {
  /// Luma 16…235 and chroma 16…240: '420v', and a Y4M clip unless it says otherwise.
  case limited
  /// The whole byte: '420f'.
  case full

  /// The range of a pixel format; `nil` when it is neither '420f' nor '420v'.
  public init?(pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .limited
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .full
    default: return nil
    }
  }
}
