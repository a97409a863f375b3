import PixelAccess
import TestSupport
import UIKit

@Suite struct CGContextTests {
  private let bgra = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
  private let rgba = CGImageAlphaInfo.premultipliedLast.rawValue

  private func context(_ width: Int, _ height: Int, _ info: UInt32, bytesPerRow: Int = 0) throws -> CGContext
  {
    try #require(
      unsafe CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: bytesPerRow,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
  }

  /// Returns a 32BGRA buffer: red above, blue below, green on the left.
  private func picture(_ width: Int = 8, _ height: Int = 6) throws -> CVPixelBuffer {
    let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
      .makeBuffer()
    buffer.writePlane(0) { bytes, _ in
      let row = CVPixelBufferGetBytesPerRow(buffer)
      for y in 0..<height {
        for x in 0..<width {
          let colour: [UInt8] =
            x < 2 ? [0, 255, 0, 255] : y < height / 2 ? [0, 0, 255, 255] : [255, 0, 0, 255]
          for index in 0..<4 { bytes[y * row + 4 * x + index] = colour[index] }
        }
      }
    }
    return buffer
  }

  private func image(_ buffer: CVPixelBuffer) throws -> CGImage {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    // UNSAFE: the buffer is locked while the context exists.
    let context = try #require(
      unsafe CGContext(
        data: CVPixelBufferGetBaseAddress(buffer), width: CVPixelBufferGetWidth(buffer),
        height: CVPixelBufferGetHeight(buffer), bitsPerComponent: 8,
        bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: bgra))
    return try #require(context.makeImage())
  }

  /// Returns the red, green and blue of a pixel, counted from the top left.
  private func colour(_ image: CGImage, _ x: Int, _ y: Int) throws -> [Int] {
    let data = try #require(image.dataProvider?.data)
    return (0..<3).map { Int(data[y * image.bytesPerRow + 4 * x + $0]) }
  }

  @Test func anImageOfAPixelBufferHasItsPixels() throws {
    let image = try image(picture())
    #expect(image.width == 8 && image.height == 6 && image.bitsPerPixel == 32 && image.bitsPerComponent == 8)
    #expect(image.colorSpace != nil && image.alphaInfo == .premultipliedLast)
    #expect(try colour(image, 0, 0) == [0, 255, 0] && colour(image, 4, 0) == [255, 0, 0])
    #expect(try colour(image, 4, 5) == [0, 0, 255])
    let part = try #require(image.cropping(to: CGRect(x: 2, y: 3, width: 3, height: 2)))
    #expect(part.width == 3 && part.height == 2)
    #expect(try colour(part, 0, 0) == [0, 0, 255])
    #expect(image.cropping(to: CGRect(x: 9, y: 0, width: 2, height: 2)) == nil)
  }

  @Test func numbersThatNoPixelHasAreLimited() throws {
    let image = try image(picture())
    let whole = try #require(image.cropping(to: .infinite))
    #expect(whole.width == 8 && whole.height == 6)
    for value in [CGFloat.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude] {
      _ = image.cropping(to: CGRect(x: value, y: value, width: 5, height: 5))
      _ = image.cropping(to: CGRect(x: 0, y: 0, width: value, height: value))
      // UNSAFE: the context allocates the memory.
      let context = try context(4, 4, bgra)
      context.setFillColor(red: value, green: 0, blue: value, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
      context.fill(CGRect(x: value, y: 0, width: value, height: 4))
      context.scaleBy(x: value, y: value)
      context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
      context.rotate(by: value)
      context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
      _ = try #require(context.makeImage()).jpegSize(quality: value)

      let colour = CIImage(color: CIColor(red: value, green: 1, blue: 1, alpha: value))
      let transform = CGAffineTransform(a: value, b: 0, c: 0, d: value, tx: value, ty: 0)
      let part = CGRect(x: 0, y: 0, width: 4, height: 4)
      _ = CIContext().createCGImage(colour, from: part)
      let picture = CIImage(cvPixelBuffer: try self.picture()).transformed(by: transform)
      _ = CIContext().createCGImage(picture, from: picture.extent)
      _ = CIContext().createCGImage(picture.composited(over: colour.cropped(to: part)), from: part)
      CIContext().render(picture, to: try self.picture())
    }
  }

  @Test func drawsAnImageScaledAndTurned() throws {
    let image = try image(picture())
    let context = try context(16, 12, rgba)
    context.interpolationQuality = .none
    context.draw(image, in: CGRect(x: 0, y: 0, width: 16, height: 12))
    var drawn = try #require(context.makeImage())
    #expect(try colour(drawn, 1, 1) == [0, 255, 0] && colour(drawn, 10, 1) == [255, 0, 0])
    #expect(try colour(drawn, 10, 10) == [0, 0, 255])
    // Only the lower left quarter.
    context.clear(CGRect(x: 0, y: 0, width: 16, height: 12))
    context.draw(image, in: CGRect(x: 0, y: 0, width: 8, height: 6))
    drawn = try #require(context.makeImage())
    #expect(try colour(drawn, 4, 5) == [0, 0, 0] && colour(drawn, 4, 6) == [255, 0, 0])
    // Upside down.
    context.saveGState()
    context.translateBy(x: 0, y: 12)
    context.scaleBy(x: 1, y: -1)
    context.draw(image, in: CGRect(x: 0, y: 0, width: 16, height: 12))
    context.restoreGState()
    #expect(context.ctm.isIdentity)
    drawn = try #require(context.makeImage())
    #expect(try colour(drawn, 10, 1) == [0, 0, 255] && colour(drawn, 10, 10) == [255, 0, 0])
    // Rotated by 90° counter-clockwise: the left side becomes the bottom.
    context.translateBy(x: 16, y: 0)
    context.rotate(by: .pi / 2)
    context.draw(image, in: CGRect(x: 0, y: 0, width: 12, height: 16))
    drawn = try #require(context.makeImage())
    #expect(try colour(drawn, 8, 11) == [0, 255, 0] && colour(drawn, 1, 1) == [255, 0, 0])
    #expect(try colour(drawn, 14, 1) == [0, 0, 255])
  }

  @Test func fillsRectanglesOfAColour() throws {
    let context = try context(8, 8, rgba, bytesPerRow: 40)
    context.setFillColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    context.fill(CGRect(x: 2, y: 2, width: 4, height: 4))
    let image = try #require(context.makeImage())
    #expect(try colour(image, 2, 2) == [255, 128, 0] && colour(image, 5, 5) == [255, 128, 0])
    #expect(try colour(image, 1, 2) == [0, 0, 0] && colour(image, 6, 5) == [0, 0, 0])
  }

  @Test func aSmallerPictureIsTheMean() throws {
    let source = try PixelBufferPool(width: 64, height: 64, pixelFormat: kCVPixelFormatType_32BGRA)
      .makeBuffer()
    source.writePlane(0) { bytes, _ in
      let row = CVPixelBufferGetBytesPerRow(source)
      for y in 0..<64 { for x in 0..<256 { bytes[y * row + x] = (x / 4 + y) % 2 == 0 ? 0 : 255 } }
    }
    let context = try context(16, 16, bgra)
    context.draw(try image(source), in: CGRect(x: 0, y: 0, width: 16, height: 16))
    let drawn = try #require(context.makeImage())
    #expect(try colour(drawn, 7, 7).allSatisfy { abs($0 - 128) <= 8 })
  }

  @Test func aContextOfGrayKeepsTheBytesOfItsCaller() throws {
    var bytes = [UInt8](repeating: 40, count: 16)
    try unsafe bytes.withUnsafeMutableBytes { memory in
      // UNSAFE: the memory outlives the context.
      let context = try #require(
        unsafe CGContext(
          data: memory.baseAddress, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 4,
          space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
      #expect(try colour(#require(context.makeImage()), 3, 3) == [40, 40, 40])
      unsafe memory[15] = 70
      context.setFillColor(gray: 1, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: 2, height: 4))
      #expect(try colour(#require(context.makeImage()), 3, 3) == [70, 70, 70])
    }
    #expect(bytes == [255, 255, 40, 40, 255, 255, 40, 40, 255, 255, 40, 40, 255, 255, 40, 70])
  }

  @Test func otherLayoutsAreRefused() {
    for (bits, info) in [
      (16, rgba), (8, CGImageAlphaInfo.none.rawValue), (8, CGBitmapInfo.byteOrder16Little.rawValue | 1),
    ] {
      #expect(
        unsafe CGContext(
          data: nil, width: 8, height: 8, bitsPerComponent: bits, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info) == nil)
    }
  }

  @Test func anImageIsMadeOfBytes() throws {
    let provider = try #require(CGDataProvider(data: Data([1, 2, 3, 4, 5, 6, 7, 8]) as CFData))
    func make(_ rows: Int) -> CGImage? {
      unsafe CGImage(
        width: 2, height: rows, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider,
        decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }
    #expect(try colour(#require(make(1)), 1, 0) == [5, 6, 7])
    #expect(make(2) == nil)
  }

  @Test func coloursSurviveBothConversions() throws {
    let image = try image(picture(16, 12))
    let shown = try #require(
      CIContext().createCGImage(CIImage(cgImage: image), from: CGRect(x: 0, y: 0, width: 16, height: 12)))
    for (x, y) in [(0, 0), (8, 1), (8, 10)] {
      let (before, after) = (try colour(image, x, y), try colour(shown, x, y))
      #expect(zip(before, after).allSatisfy { abs($0 - $1) <= 4 }, "\(before) \(after)")
    }
  }

  @Test(.needs(.libjpeg)) func anImageIsEncodedAndDecoded() throws {
    let image = try image(picture(16, 12))
    let jpeg = try #require(UIImage(cgImage: image).jpegData(compressionQuality: 1))
    let decoded = try #require(UIImage(data: jpeg)?.ciImage)
    #expect(decoded.extent.size == CGSize(width: 16, height: 12))
  }

  @Test(.needs(.libjpeg)) func aDestinationWritesJPEG() throws {
    let image = try image(picture(32, 24))
    let data = try #require(CFDataCreateMutable(nil, 0))
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    #expect(!CGImageDestinationFinalize(destination))
    let second = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    let options = [kCGImageDestinationLossyCompressionQuality: 0.8] as CFDictionary
    CGImageDestinationAddImage(second, image, options)
    #expect(CGImageDestinationFinalize(second) && !CGImageDestinationFinalize(second))
    let decoded = try #require(CIImage(data: Data(referencing: data)))
    #expect(decoded.extent.size == CGSize(width: 32, height: 24))
    #expect(CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil) == nil)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
    let file = try #require(CGImageDestinationCreateWithURL(url as CFURL, "public.jpeg" as CFString, 1, nil))
    CGImageDestinationAddImage(file, image, nil)
    #expect(CGImageDestinationFinalize(file))
    #expect(try Data(contentsOf: url).starts(with: [0xFF, 0xD8]))
    try FileManager.default.removeItem(at: url)
  }
}

extension CGImage {
  fileprivate func jpegSize(quality: CGFloat) -> Int? {
    UIImage(cgImage: self).jpegData(compressionQuality: quality)?.count
  }
}
