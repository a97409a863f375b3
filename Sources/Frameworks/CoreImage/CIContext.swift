import PixelAccess
import Synchronization

/// What renders images. Models the class of CoreImage's CIContext.h. Usable from any thread.
///
/// ```swift
/// let image = CIImage(cvPixelBuffer: pixelBuffer).transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
/// let data = CIContext().jpegRepresentation(of: image, colorSpace: CGColorSpaceCreateDeviceRGB(), options: [:])
/// ```
/// It renders on the processor, whatever its options are.
public final class CIContext: Sendable {
  private let renderer = Mutex(Renderer())

  /// Creates a context. The options have no effect.
  public init(options: [CIContextOption: Any]? = nil) {}

  /// Returns an image as JPEG, or `nil` for a format other than 420f and 420v, for a size that a pixel buffer cannot have,
  /// after a turn by another angle than a right one, and without libjpeg, which is reported.
  ///
  /// - Parameter options: the quality, 0 to 1, under `kCGImageDestinationLossyCompressionQuality`; 0.9 by default.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    let quality = (options[kCGImageDestinationLossyCompressionQuality]).flatMap { Double(number: $0) } ?? 0.9
    return rendered(image, from: image.extent).flatMap { JPEG.encode($0, quality: quality) }
  }

  /// Writes an image as JPEG to a file. Throws when it cannot be rendered or written.
  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    guard let data = jpegRepresentation(of: image, colorSpace: colorSpace, options: options) else {
      throw CocoaError(.fileWriteUnknown)
    }
    try data.write(to: url)
  }

  /// Renders a part of an image; `nil` for a part without pixels.
  public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
    guard let pixels = rendered(image, from: fromRect) else { return nil }
    return CGImage(
      width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels), pixels: pixels)
  }

  /// Renders an image into a pixel buffer, at the buffer's lower left, by the matrix that the buffer states; one that states none
  /// takes the image's. The stand-in renders into the formats 420f, 420v and 32BGRA; a buffer of another one stays as it is,
  /// which is reported.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
    render(image, to: buffer, bounds: image.extent, colorSpace: nil)
  }

  /// Renders an image into the part of a pixel buffer within `bounds`; see ``render(_:to:)``. The image's 0, 0 is at the buffer's
  /// lower left whatever the bounds are, as from iOS 9 on. The colour space has no effect.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
    let format = CVPixelBufferGetPixelFormatType(buffer)
    let range = SampleRange(pixelFormat: format)
    guard range != nil || format == kCVPixelFormatType_32BGRA else {
      return ImageLog.report("CIContext renders into pixel buffers of the formats 420f, 420v and 32BGRA only")
    }
    let size = CGSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    let part = image.extent.common(with: CGRect(origin: .zero, size: size)).common(with: bounds)
    guard let pixels = rendered(image, from: part) else { return }
    // The part is within the buffer, or it would not have been rendered.
    let top = Int(size.height - part.maxY), left = Int(part.minX)
    guard let range else {
      return buffer.copyAsBGRA(pixels, toX: left, y: top)
    }
    if let matrix = buffer.statedMatrix {
      pixels.convert(to: matrix)
    } else {
      buffer.state(pixels.colourMatrix)
    }
    pixels.convert(from: .full, to: range)
    buffer.copyPart(of: pixels, toX: left, y: top)
  }

  /// Has no effect: the stand-in has no caches.
  public func clearCaches() {}

  private func rendered(_ image: CIImage, from rect: CGRect) -> CVPixelBuffer? {
    renderer.withLock { $0.render(image, from: rect) }
  }
}

/// An option of a context.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
  /// The option's name.
  public let rawValue: String

  /// Creates an option from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Renders on the processor.
  public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
  /// The colours in which images are computed.
  public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
  /// The colours of rendered images.
  public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
  /// Keeps computed images.
  public static let cacheIntermediates = CIContextOption(rawValue: "kCIContextCacheIntermediates")
  /// Renders with less priority.
  public static let priorityRequestLow = CIContextOption(rawValue: "kCIContextPriorityRequestLow")
  /// The context's name.
  public static let name = CIContextOption(rawValue: "kCIContextName")
}

/// An option of an encoding. A structure around a string on iOS; a string here, so that the cast of handlers compiles:
/// `kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption`.
public typealias CIImageRepresentationOption = String

extension String {
  /// Creates an option of an encoding from its name.
  public init(rawValue: String) { self = rawValue }
}
