import CoreVideo

package enum SampleRange: Sendable, Equatable {
  /// Luma 16…235 and chroma 16…240 (420v, and the default of a Y4M file).
  case limited
  /// All values of a byte (420f).
  case full

  /// Creates the range of a pixel format; `nil` for a format other than 420f and 420v.
  package init?(pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .limited
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .full
    default: return nil
    }
  }

  /// Returns tables of 256 entries that convert samples to another range; `nil` if the ranges are equal.
  package func tables(to other: SampleRange) -> (luma: [UInt8], chroma: [UInt8])? {
    guard self != other else { return nil }
    func table(_ convert: (Double) -> Double) -> [UInt8] {
      (0..<256).map { UInt8(max(0, min(255, convert(Double($0)).rounded()))) }
    }
    return switch other {
    case .full:
      (table { ($0 - 16) * 255 / 219 }, table { max(1, ($0 - 128) * 255 / 224 + 128) })
    case .limited:
      (table { $0 * 219 / 255 + 16 }, table { max(16, ($0 - 128) * 224 / 255 + 128) })
    }
  }
}
