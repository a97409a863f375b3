import CPixels
import CoreVideo
import PixelAccess

// Models the functions for the pixels of an image in CoreGraphics/CGImage.h and CGDataProvider.h.

public final class CGDataProvider: Sendable {
  private let content: Data

  public init?(data: CFData) { content = data }

  fileprivate init(_ content: Data) { self.content = content }

  public var data: CFData? { content }
}

extension CGImage {
  /// The layout of ``dataProvider``: red, green, blue, alpha.
  private static let layout = CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue)

  public var colorSpace: CGColorSpace? { CGColorSpaceCreateDeviceRGB() }
  public var bitsPerComponent: Int { 8 }
  public var bitsPerPixel: Int { 32 }
  public var bytesPerRow: Int { 4 * width }
  public var alphaInfo: CGImageAlphaInfo { .premultipliedLast }
  public var bitmapInfo: CGBitmapInfo { Self.layout }

  public var dataProvider: CGDataProvider? {
    guard let bgra = pixels.convertedToBGRA(), let order = Self.layout.fromBGRA else { return nil }
    var data = Data(count: bytesPerRow * height)
    // UNSAFE: the data has room for the pixels, and the buffer is locked for the call.
    unsafe data.withUnsafeMutableBytes { bytes in
      var target = unsafe cpixels_bitmap(
        bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes_per_row: bytesPerRow,
        width: Int32(width), height: Int32(height))
      unsafe bgra.withBitmap { unsafe cpixels_copy(&$0, &target, order) }
    }
    return CGDataProvider(data)
  }

  /// Returns `nil` for layouts without 32-bit pixels.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    guard bitsPerComponent == 8, bitsPerPixel == 32, var data = provider.data, width > 0, height > 0,
      bytesPerRow >= 4 * width, data.count >= bytesPerRow * (height - 1) + 4 * width
    else { return nil }
    // UNSAFE: the data has the bytes of all rows.
    let pixels = unsafe data.withUnsafeMutableBytes { bytes -> CVPixelBuffer? in
      unsafe bytes.baseAddress.flatMap {
        unsafe CGImage.copy($0, width, height, bytesPerRow, bitmapInfo)
      }
    }
    guard let pixels else { return nil }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// Copies pixels of a layout to 32BGRA. Returns `nil` for layouts without 32-bit pixels.
  static func copy(
    _ bytes: UnsafeMutableRawPointer, _ width: Int, _ height: Int, _ bytesPerRow: Int, _ layout: CGBitmapInfo
  ) -> CVPixelBuffer? {
    guard let order = layout.toBGRA else { return nil }
    let buffer = CVPixelBuffer.make(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
    // UNSAFE: the caller's pixels have this shape.
    var source = unsafe cpixels_bitmap(
      bytes: bytes.assumingMemoryBound(to: UInt8.self), bytes_per_row: bytesPerRow, width: Int32(width),
      height: Int32(height))
    unsafe buffer?.withBitmap { unsafe cpixels_copy(&source, &$0, order) }
    return buffer
  }

  public func cropping(to rect: CGRect) -> CGImage? {
    let left = max(0, Int(clamping: rect.minX.rounded(.down)))
    let top = max(0, Int(clamping: rect.minY.rounded(.down)))
    let right = min(width, Int(clamping: rect.maxX.rounded(.up)))
    let bottom = min(height, Int(clamping: rect.maxY.rounded(.up)))
    guard right > left, bottom > top, let bgra = pixels.convertedToBGRA() else { return nil }
    let part = unsafe bgra.withBitmap { bitmap -> CVPixelBuffer? in
      // UNSAFE: the part is within the pixels, which are locked for the call.
      unsafe bitmap.bytes.flatMap {
        let start = unsafe $0 + top * bitmap.bytes_per_row + 4 * left
        return unsafe CGImage.copy(start, right - left, bottom - top, bitmap.bytes_per_row, .bgra)
      }
    }
    return part.map { CGImage(width: right - left, height: bottom - top, pixels: $0) }
  }
}

extension CGBitmapInfo {
  /// The layout of 32BGRA.
  static let bgra = CGBitmapInfo(
    rawValue: CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
}
