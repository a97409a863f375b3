import CoreVideo
import PixelAccess
import ScreenBroadcast

extension Inspection {
  /// Adds format and size of a frame in two planes; returns whether they are valid.
  mutating func addShape(pixelFormat: OSType, width: Int, height: Int) -> Bool {
    add(.pixelFormat, pixelFormat.fourCharacters)
    add(.width, width)
    add(.height, height)
    let areValid = [
      expect(
        ["420f", "420v"].contains(pixelFormat.fourCharacters),
        "the pixel format is \(pixelFormat.fourCharacters), and broadcasts have only 420f and 420v"),
      expect((1...8192).contains(width), "the width is \(width), and widths are 1 to 8192"),
      expect((1...8192).contains(height), "the height is \(height), and heights are 1 to 8192"),
    ]
    return !areValid.contains(false)
  }

  /// Makes the frame from planes that lie within the bytes.
  mutating func addPicture(
    _ planes: [LentPlane], width: Int, height: Int, pixelFormat: OSType, from bytes: [UInt8]
  ) {
    do throws(PixelBufferError) {
      let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: pixelFormat).makeBuffer()
      buffer.copyPlanes(planes, from: bytes.span)
      picture = buffer
    } catch {
      whyNoPicture = "\(error)"
    }
  }
}

extension OSType {
  /// The values that are recognised as a pixel format, supported or not.
  static let formatsSeen: Set<OSType> = Set(
    ["420f", "420v", "BGRA", "RGBA", "x420", "xf20", "y420", "f420", "2vuy", "yuvs", "422f", "422v", "444f"]
      .map { text in text.utf8.reduce(0) { $0 << 8 | OSType($1) } })
}
