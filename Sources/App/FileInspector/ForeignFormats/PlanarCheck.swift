import CoreVideo
import PixelAccess
import ScreenBroadcast

extension Inspection {
  /// Notes format and size of a picture in two planes; whether they can be true.
  mutating func addShape(pixelFormat: OSType, width: Int, height: Int) -> Bool {
    add(.pixelFormat, pixelFormat.fourCharacters)
    add(.width, width)
    add(.height, height)
    let formats = [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    ]
    let isFormat = expect(
      formats.contains(pixelFormat),
      "the pixel format is \(pixelFormat.fourCharacters), and only 420f and 420v travel")
    let isWidth = expect((1...8192).contains(width), "the width is \(width), and widths are 1 to 8192")
    let isHeight = expect((1...8192).contains(height), "the height is \(height), and heights are 1 to 8192")
    return isFormat && isWidth && isHeight
  }

  /// Makes the picture of planes that were checked to lie within the bytes.
  mutating func addPicture(
    _ planes: [LentPlane], width: Int, height: Int, pixelFormat: OSType, from bytes: FileBytes
  ) {
    do throws(PixelBufferError) {
      let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: pixelFormat).makeBuffer()
      buffer.copyPlanes(planes, from: bytes.all.span)
      picture = buffer
    } catch {
      whyNoPicture = "\(error)"
    }
  }
}

extension OSType {
  /// The pixel formats that are taken for one when they stand where a format belongs, also those that do not travel.
  static let formatsSeen: Set<OSType> = Set(
    ["420f", "420v", "BGRA", "RGBA", "x420", "xf20", "y420", "f420", "2vuy", "yuvs", "422f", "422v", "444f"]
      .map { text in text.utf8.reduce(0) { $0 << 8 | OSType($1) } })
}
