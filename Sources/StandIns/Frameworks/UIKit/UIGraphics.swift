import Foundation

// Models UIGraphics.h, UIGraphicsRenderer.h and UIGraphicsImageRenderer.h.

/// The contexts of one thread, with the current context last.
private final class ContextStack {
  /// The context is `nil` for a size that a bitmap cannot have.
  var contexts: [(context: CGContext?, scale: CGFloat)] = []

  static var current: ContextStack {
    let values = Thread.current.threadDictionary
    if let stack = values["UIGraphicsContextStack"] as? ContextStack { return stack }
    let stack = ContextStack()
    values["UIGraphicsContextStack"] = stack
    return stack
  }

  /// Begins a context of transparent black pixels (opaque if `isOpaque`). Returns `nil` for a size that a bitmap cannot have.
  static func begin(_ size: CGSize, isOpaque: Bool, scale: CGFloat) -> CGContext? {
    let scale = scale > 0 ? scale : UIScreen.main.scale
    let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
    guard (1...16_384).contains(width), (1...16_384).contains(height) else { return nil }
    let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipFirst : .premultipliedFirst
    // UNSAFE: the context has its own memory.
    guard
      let context = unsafe CGContext(
        data: nil, width: Int(width), height: Int(height), bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: alpha.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
    else { return nil }
    context.translateBy(x: 0, y: height)
    context.scaleBy(x: scale, y: -scale)
    current.contexts.append((context, scale))
    return context
  }
}

public func UIGraphicsBeginImageContext(_ size: CGSize) {
  UIGraphicsBeginImageContextWithOptions(size, false, 1)
}

public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
  guard ContextStack.begin(size, isOpaque: opaque, scale: scale) == nil else { return }
  // Add an entry in any case, because the caller ends the context in any case.
  ContextStack.current.contexts.append((nil, scale))
}

public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.current.contexts.last?.context }

public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
  guard let (context, scale) = ContextStack.current.contexts.last else { return nil }
  return context?.makeImage().map { UIImage(cgImage: $0, scale: scale) }
}

public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }
public func UIGraphicsPushContext(_ context: CGContext) { ContextStack.current.contexts.append((context, 1)) }
public func UIGraphicsPopContext() { _ = ContextStack.current.contexts.popLast() }

public final class UIGraphicsImageRendererFormat: NSObject {
  public var scale = UIScreen.main.scale
  public var opaque = false

  public class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
  public class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

public final class UIGraphicsImageRendererContext: NSObject {
  public let cgContext: CGContext
  public let format: UIGraphicsImageRendererFormat

  fileprivate init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
    (cgContext, self.format) = (context, format)
  }

  public var currentImage: UIImage { UIGraphicsGetImageFromCurrentImageContext() ?? UIImage() }

  public func fill(_ rect: CGRect) { cgContext.fill(rect) }
}

public final class UIGraphicsImageRenderer: NSObject {
  public let format: UIGraphicsImageRendererFormat
  private let bounds: CGRect

  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat = .default()) {
    self.bounds = bounds
    self.format = format
  }

  public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat = .default()) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: format)
  }

  public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    guard let context = ContextStack.begin(bounds.size, isOpaque: format.opaque, scale: format.scale) else {
      return UIImage()
    }
    defer { UIGraphicsEndImageContext() }
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    let rendererContext = UIGraphicsImageRendererContext(context, format)
    actions(rendererContext)
    return rendererContext.currentImage
  }

  /// Empty if there is no libjpeg.
  public func jpegData(
    withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data {
    image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data()
  }
}
