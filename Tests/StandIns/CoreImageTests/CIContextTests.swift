import PixelAccess
import TestSupport
import UIKit

@Suite struct CIContextTests {
  /// Returns a frame whose luma rises from left to right and, four times as slowly, from top to bottom.
  private func frame(
    _ width: Int, _ height: Int, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  ) throws -> CVPixelBuffer {
    try makePatternedPicture(width, height, format) { plane, y, x in
      plane == 0 ? luma(x, y, width, height) : x % 2 == 0 ? 100 : 160
    }
  }

  private func luma(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> UInt8 {
    UInt8(40 + 120 * x / width + 30 * y / height)
  }

  private func sample(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> (luma: Int, cb: Int, cr: Int) {
    let luma = buffer.readPlane(0) { Int($0[y * $1.bytesPerRow + x]) }
    return buffer.readPlane(1) { bytes, shape in
      let pair = y / 2 * shape.bytesPerRow + x / 2 * 2
      return (luma, Int(bytes[pair]), Int(bytes[pair + 1]))
    }
  }

  private func size(_ buffer: CVPixelBuffer) -> [Int] {
    [CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)]
  }

  @Test(.needs(.libjpeg), arguments: [(64, 48), (63, 47), (2, 2)])
  func encodesAFrameThatDecodesToTheSamePixels(width: Int, height: Int) throws {
    let buffer = try frame(width, height)
    let image = CIImage(cvPixelBuffer: buffer)
    let options = [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 1.0]
    let data = try #require(
      CIContext(options: [.useSoftwareRenderer: true]).jpegRepresentation(
        of: image, colorSpace: image.colorSpace ?? CGColorSpaceCreateDeviceRGB(), options: options))
    let decoded = try #require(CIImage(data: data)?.pixelBuffer)
    #expect(size(decoded) == [width, height])
    for y in 0..<height {
      for x in 0..<width {
        let (was, now) = (sample(buffer, x, y), sample(decoded, x, y))
        #expect(
          abs(was.luma - now.luma) <= 3 && abs(was.cb - now.cb) <= 3 && abs(was.cr - now.cr) <= 3,
          "\(x),\(y): \(was), \(now)")
      }
    }
  }

  @Test(arguments: [(CIFormat.BGRA8, [0, 1, 2, 3]), (.RGBA8, [2, 1, 0, 3]), (.ARGB8, [3, 2, 1, 0])])
  func aBitmapHasThePartOfTheImage(format: CIFormat, order: [Int]) throws {
    // Red above, blue below.
    let blue = CIImage(color: .blue).cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4))
    let red = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 2, width: 4, height: 2))
    // A column and a row more than the image has, and rows that are longer than the bounds.
    let bounds = CGRect(x: 2, y: 0, width: 4, height: 6)
    var bytes = [UInt8](repeating: 7, count: 6 * 20)
    // UNSAFE: the array has six rows of 20 bytes.
    unsafe bytes.withUnsafeMutableBytes {
      guard let start = $0.baseAddress else { return }
      unsafe CIContext().render(
        red.composited(over: blue), toBitmap: start, rowBytes: 20, bounds: bounds, format: format,
        colorSpace: CGColorSpaceCreateDeviceRGB())
    }
    func pixel(_ x: Int, _ y: Int) -> [Int] { order.map { Int(bytes[y * 20 + 4 * x + $0]) } }
    for x in 0..<2 {
      #expect(pixel(x, 0) == [0, 0, 0, 0] && pixel(x, 1) == [0, 0, 0, 0])
      #expect(pixel(x, 2)[2] > 240 && pixel(x, 2)[0] < 15 && pixel(x, 2)[3] == 255)
      #expect(pixel(x, 5)[0] > 240 && pixel(x, 5)[2] < 15 && pixel(x, 5)[3] == 255)
    }
    #expect(pixel(3, 3) == [0, 0, 0, 0] && bytes[19] == 7)
  }

  @Test(.needs(.libjpeg)) func aSourceHasTheImageOfAJPEGAndNoneOfOtherBytes() throws {
    let image = CIImage(cvPixelBuffer: try frame(64, 48))
    let data = try #require(
      CIContext().jpegRepresentation(of: image, colorSpace: CGColorSpaceCreateDeviceRGB()))
    let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
    let decoded = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(decoded.width == 64 && decoded.height == 48)
    #expect(CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    let other = try #require(CGImageSourceCreateWithData(Data([1, 2, 3]), nil))
    #expect(CGImageSourceCreateImageAtIndex(other, 0, nil) == nil)
  }

  @Test(.needs(.libjpeg)) func aThumbnailIsAScaledCopy() throws {
    let blue = CIImage(color: .blue).cropped(to: CGRect(x: 0, y: 0, width: 64, height: 32))
    let data = try #require(
      CIContext().jpegRepresentation(of: blue, colorSpace: CGColorSpaceCreateDeviceRGB()))
    let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
    func thumbnail(_ options: [CFString: Any]) -> CGImage? {
      CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
    let small = try #require(
      thumbnail([
        kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 16,
        kCGImageSourceCreateThumbnailWithTransform: true,
      ]))
    let pixels = try #require(small.dataProvider?.data as Data?)
    // Blue, in the order red, green, blue, alpha.
    #expect(pixels.suffix(4).map { $0 > 220 } == [false, false, true, true])
    #expect(small.width == 16 && small.height == 8)
    #expect(thumbnail([kCGImageSourceCreateThumbnailFromImageAlways: true])?.width == 64)
    #expect(thumbnail([:]) == nil)
  }

  @Test(.needs(.libjpeg)) func writesSmallerFilesAtLowerQuality() throws {
    let image = CIImage(cvPixelBuffer: try frame(64, 64))
    let sizes = [0.1, 0.9].map { quality in
      CIContext().jpegRepresentation(
        of: image, colorSpace: CGColorSpaceCreateDeviceRGB(),
        options: [CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality): quality])?
        .count ?? 0
    }
    #expect(sizes[0] > 0 && sizes[0] < sizes[1])
  }

  @Test func scalesToHalf() throws {
    let buffer = try frame(64, 48)
    let image = CIImage(cvPixelBuffer: buffer).transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
    #expect(image.extent == CGRect(x: 0, y: 0, width: 32, height: 24))
    let rendered = try #require(CIContext().createCGImage(image, from: image.extent))
    let pixels = try #require(CIImage(cgImage: rendered).pixelBuffer)
    #expect(size(pixels) == [32, 24])
    #expect(abs(sample(pixels, 16, 12).luma - sample(buffer, 32, 24).luma) <= 2)
  }

  /// Returns the stored pixel that an upright picture shows at `x`, `y`, by the rules of EXIF.
  private func stored(
    _ orientation: CGImagePropertyOrientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int
  ) -> (Int, Int) {
    switch orientation {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (y, height - 1 - x)
    case .rightMirrored: (width - 1 - y, height - 1 - x)
    case .left: (width - 1 - y, x)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt32>) func turnsUpright(number: UInt32) throws {
    let orientation = try #require(CGImagePropertyOrientation(rawValue: number))
    let buffer = try frame(32, 16)
    let image = CIImage(cvPixelBuffer: buffer).oriented(orientation)
    #expect(image.extent.size == (number < 5 ? CGSize(width: 32, height: 16) : CGSize(width: 16, height: 32)))
    let rendered = try #require(CIContext().createCGImage(image, from: image.extent))
    let pixels = try #require(CIImage(cgImage: rendered).pixelBuffer)
    for y in 0..<rendered.height {
      for x in 0..<rendered.width {
        let at = stored(orientation, x, y, 32, 16)
        #expect(sample(pixels, x, y).luma == sample(buffer, at.0, at.1).luma)
      }
    }
  }

  @Test func cropsFromTheLowerLeft() throws {
    let buffer = try frame(32, 16)
    let image = CIImage(cvPixelBuffer: buffer).cropped(to: CGRect(x: 8, y: 0, width: 16, height: 4))
    let rendered = try #require(CIContext().createCGImage(image, from: image.extent))
    let pixels = try #require(CIImage(cgImage: rendered).pixelBuffer)
    #expect(size(pixels) == [16, 4])
    #expect(sample(pixels, 0, 0).luma == sample(buffer, 8, 12).luma)
  }

  @Test func rendersIntoABuffer() throws {
    let (buffer, target) = (try frame(32, 16), try frame(64, 32))
    CIContext().render(CIImage(cvPixelBuffer: buffer), to: target)
    #expect(sample(target, 0, 16).luma == sample(buffer, 0, 0).luma)
    #expect(sample(target, 31, 31).luma == sample(buffer, 31, 15).luma)
  }

  @Test func rendersIntoABufferOfVideoRange() throws {
    let (buffer, target) = (
      try frame(32, 16), try frame(32, 16, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    )
    CIContext().render(CIImage(cvPixelBuffer: buffer), to: target)
    for (x, y) in [(0, 0), (31, 15), (9, 5)] {
      let (was, now) = (sample(buffer, x, y), sample(target, x, y))
      let luma = (Double(was.luma) * 219 / 255 + 16).rounded()
      let cb = (Double(was.cb - 128) * 224 / 255).rounded() + 128
      #expect(now.luma == Int(luma) && now.cb == Int(cb))
    }
  }

  @Test func rendersWithinTheBounds() throws {
    let (buffer, target, control) = (try frame(32, 16), try frame(64, 32), try frame(64, 32))
    CIContext().render(
      CIImage(cvPixelBuffer: buffer), to: target, bounds: CGRect(x: 8, y: 0, width: 100, height: 8),
      colorSpace: nil)
    for (x, y) in [(8, 24), (31, 31)] { #expect(sample(target, x, y).luma == sample(buffer, x, y - 16).luma) }
    for (x, y) in [(7, 31), (32, 31), (8, 23)] {
      #expect(sample(target, x, y).luma == sample(control, x, y).luma, "\(x),\(y)")
    }
  }

  /// A rotation that cannot be rendered correctly has no image.
  @Test(arguments: [(34.0, false), (1.0, false), (90.0, true), (180.0, true), (-90.0, true), (360.0, true)])
  func onlyRightAnglesAreRendered(degrees: Double, isRendered: Bool) throws {
    let image = CIImage(cvPixelBuffer: try frame(32, 16))
      .transformed(by: CGAffineTransform(rotationAngle: degrees * .pi / 180))
    let context = CIContext()
    #expect((context.createCGImage(image, from: image.extent) != nil) == isRendered)
    let skewed = CIImage(cvPixelBuffer: try frame(32, 16))
      .transformed(by: CGAffineTransform(a: 1, b: 0, c: 0.5, d: 1, tx: 0, ty: 0))
    #expect(context.createCGImage(skewed, from: skewed.extent) == nil)
  }

  @Test func widensVideoRange() throws {
    let buffer = try frame(32, 16, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    let image = CIImage(cvPixelBuffer: buffer)
    let rendered = try #require(CIContext().createCGImage(image, from: image.extent))
    let pixels = try #require(CIImage(cgImage: rendered).pixelBuffer)
    let (was, now) = (sample(buffer, 9, 5), sample(pixels, 9, 5))
    let luma = (Double(was.luma - 16) * 255 / 219).rounded()
    let cb = (Double(was.cb - 128) * 255 / 224).rounded() + 128
    #expect(now.luma == Int(luma) && now.cb == Int(cb))
  }

  @Test(arguments: [CGFloat.nan, .infinity, 1e300, 1e-300, 0])
  func doesNotRenderAnImageOfAnImpossibleSize(scale: CGFloat) throws {
    let buffer = try frame(32, 16)
    let image = CIImage(cvPixelBuffer: buffer).transformed(by: CGAffineTransform(scaleX: scale, y: scale))
    let context = CIContext()
    #expect(context.createCGImage(image, from: image.extent) == nil)
    context.render(image, to: try frame(8, 8))
    let moved = CIImage(cvPixelBuffer: buffer)
      .transformed(by: CGAffineTransform(translationX: 1 / scale, y: 1 / scale))
    context.render(moved, to: try frame(8, 8))
    #expect(
      context.createCGImage(moved, from: CGRect(x: scale, y: scale, width: scale, height: scale)) == nil)
  }

  @Test func rendersAllOfAnImageForAnInfiniteRectangle() throws {
    let image = CIImage(cvPixelBuffer: try frame(32, 16))
    let rendered = try #require(CIContext().createCGImage(image, from: .infinite))
    #expect((rendered.width, rendered.height) == (32, 16))
  }

  @Test func refusesWhatIsNotAJPEG() {
    #expect(CIImage(data: Data([1, 2, 3])) == nil)
    #expect(CIImage(data: Data()) == nil)
  }

  @Test(arguments: [
    (nil, [68, 110, 170, 255]), ("ITU_R_601_4", [70, 107, 165, 255]), ("ITU_R_709_2", [68, 110, 170, 255]),
  ]) func rendersIntoBGRAByTheMatrixOfTheImage(matrix: String?, pixel: [UInt8]) throws {
    let source = try frame(8, 8)
    source.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: 120) }
    if let matrix { CVBufferSetAttachment(source, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate) }
    var made: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(nil, 16, 12, kCVPixelFormatType_32BGRA, nil, &made)
    let target = try #require(made)
    CIContext().render(CIImage(cvPixelBuffer: source), to: target)
    let rows = target.readPlane(0) { bytes, shape in
      (0..<12).map { row in
        (0..<16).map { column in (0..<4).map { bytes[row * shape.bytesPerRow + column * 4 + $0] } }
      }
    }
    // The image is at the lower left.
    for row in 0..<12 {
      for column in 0..<16 {
        let isImage = row >= 4 && column < 8
        #expect(rows[row][column] == (isImage ? pixel : [0, 0, 0, 0]), "\(column),\(row)")
      }
    }
  }
}
