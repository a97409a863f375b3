import PixelAccess
import Synchronization

/// Renders on the CPU. The options have no effect. May be used on any thread.
public final class CIContext: Sendable {
  private let renderer = Mutex(Renderer())

  public init(options: [CIContextOption: Any]? = nil) {}

  /// Returns `nil` for formats other than 420f and 420v, for sizes that a pixel buffer cannot have, for images that are
  /// skewed or rotated by other angles than right angles, and if there is no libjpeg. The last two are logged.
  ///
  /// - Parameter options: only the quality is used (default: 0.9).
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    let quality = (options[kCGImageDestinationLossyCompressionQuality]).flatMap { Double(number: $0) } ?? 0.9
    return rendered(image, from: image.extent).flatMap { JPEG.encode($0, quality: quality) }
  }

  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    guard let data = jpegRepresentation(of: image, colorSpace: colorSpace, options: options) else {
      throw CocoaError(.fileWriteUnknown)
    }
    try data.write(to: url)
  }

  public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
    guard let pixels = rendered(image, from: fromRect) else { return nil }
    return CGImage(
      width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels), pixels: pixels)
  }

  /// The colour space has no effect.
  public func createCGImage(
    _ image: CIImage, from fromRect: CGRect, format: CIFormat, colorSpace: CGColorSpace?
  ) -> CGImage? {
    guard let pixels = createCGImage(image, from: fromRect),
      let context = unsafe CGContext(
        data: nil, width: pixels.width, height: pixels.height, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: format.layout.rawValue)
    else { return nil }
    context.draw(pixels, in: CGRect(x: 0, y: 0, width: pixels.width, height: pixels.height))
    return context.makeImage()
  }

  /// Converts the colours to the matrix that the buffer states. If the buffer states none, it gets the image's matrix.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
    render(image, to: buffer, bounds: image.extent, colorSpace: nil)
  }

  /// As since iOS 9, the image's 0, 0 is at the lower left of the buffer, whatever the bounds are. The colour space has
  /// no effect.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
    let size = CGSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    let part = image.extent.common(with: CGRect(origin: .zero, size: size)).common(with: bounds)
    guard let pixels = rendered(image, from: part) else { return }
    // The part is within the buffer, because rendering would have failed otherwise.
    let top = Int(size.height - part.maxY), left = Int(part.minX)
    guard let range = SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(buffer)) else {
      if let bgra = pixels.convertedToBGRA() { buffer.copyPart(of: bgra, toX: left, y: top) }
      return
    }
    if let matrix = buffer.statedMatrix {
      pixels.convert(to: matrix)
    } else {
      buffer.state(pixels.colourMatrix)
    }
    pixels.convert(from: .full, to: range)
    buffer.copyPart(of: pixels, toX: left, y: top)
  }

  /// The bounds are a rectangle of the image. The first row of the bitmap is the upper row of the bounds. Pixels outside
  /// of the image stay clear. The colour space has no effect.
  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat,
    colorSpace: CGColorSpace?
  ) {
    let part = image.extent.common(with: bounds)
    // UNSAFE: the caller's memory for the rows of the bounds.
    let context = unsafe CGContext(
      data: data, width: Int(bounds.width), height: Int(bounds.height), bitsPerComponent: 8,
      bytesPerRow: rowBytes, space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: format.layout.rawValue)
    context?.clear(CGRect(origin: .zero, size: bounds.size))
    if let pixels = createCGImage(image, from: part) {
      context?.draw(
        pixels, in: part.applying(CGAffineTransform(translationX: -bounds.minX, y: -bounds.minY)))
    }
  }

  /// Without effect: the stand-in has no caches.
  public func clearCaches() {}

  private func rendered(_ image: CIImage, from rect: CGRect) -> CVPixelBuffer? {
    renderer.withLock { $0.render(image, from: rect) }
  }
}

/// The formats of 8 bits with red, green and blue that a bitmap can have.
public struct CIFormat: Sendable {
  fileprivate let layout: CGBitmapInfo

  private init(_ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo = []) {
    layout = CGBitmapInfo(rawValue: alpha.rawValue | order.rawValue)
  }

  public static let RGBA8 = CIFormat(.premultipliedLast)
  public static let ARGB8 = CIFormat(.premultipliedFirst)
  public static let BGRA8 = CIFormat(.premultipliedFirst, .byteOrder32Little)
}

public struct CIContextOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
  public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
  public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
  public static let cacheIntermediates = CIContextOption(rawValue: "kCIContextCacheIntermediates")
  public static let priorityRequestLow = CIContextOption(rawValue: "kCIContextPriorityRequestLow")
  public static let name = CIContextOption(rawValue: "kCIContextName")
}

/// A structure around a string on iOS; a string here, so that the cast in handlers compiles:
/// `kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption`.
public typealias CIImageRepresentationOption = String

extension String {
  public init(rawValue: String) { self = rawValue }
}
