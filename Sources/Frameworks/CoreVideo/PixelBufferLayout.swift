/// The planes of a pixel buffer in memory, computed from its format and size.
struct PixelBufferLayout: Sendable {
  struct Plane: Sendable {
    var width: Int
    var height: Int
    var bytesPerRow: Int
    var offset: Int
  }

  var planes: [Plane]
  var isPlanar: Bool
  var byteCount: Int

  /// The largest width and height a buffer may have, in pixels.
  static let maximumDimension = 16_384

  /// Returns the layout of a buffer, or the Core Video code for an impossible request.
  static func make(width: Int, height: Int, format: OSType, alignment: Int) -> Result<Self, Failure> {
    guard (1...maximumDimension).contains(width), (1...maximumDimension).contains(height) else {
      return .failure(Failure(code: kCVReturnInvalidSize))
    }
    guard (1...4096).contains(alignment), alignment & (alignment - 1) == 0 else {
      return .failure(Failure(code: kCVReturnInvalidPixelBufferAttributes))
    }
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) & ~(alignment - 1) }

    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      let luma = Plane(width: width, height: height, bytesPerRow: aligned(width), offset: 0)
      let chromaWidth = (width + 1) / 2
      let chroma = Plane(
        width: chromaWidth, height: (height + 1) / 2, bytesPerRow: aligned(chromaWidth * 2),
        offset: luma.bytesPerRow * height)
      return .success(
        PixelBufferLayout(
          planes: [luma, chroma], isPlanar: true,
          byteCount: chroma.offset + chroma.bytesPerRow * chroma.height))
    case kCVPixelFormatType_32BGRA:
      let plane = Plane(width: width, height: height, bytesPerRow: aligned(width * 4), offset: 0)
      return .success(
        PixelBufferLayout(planes: [plane], isPlanar: false, byteCount: plane.bytesPerRow * height))
    default:
      return .failure(Failure(code: kCVReturnInvalidPixelFormat))
    }
  }

  struct Failure: Error {
    var code: CVReturn
  }
}
