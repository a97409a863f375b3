// Names of Core Image that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no filters: crop, scale, rotate and compose a CIImage.")
@dynamicMemberLookup public class CIFilter {
  public init?(name: String) {}
  public var outputImage: CIImage? { nil }
  public func setValue(_ value: Any?, forKey key: String) {}
  public static subscript(dynamicMember name: String) -> () -> CIFilter { fatalError() }
  public subscript(dynamicMember name: String) -> Any? {
    get { nil }
    set {}
  }
}

extension CIImage {
  @available(*, unavailable, message: "The emulator has no filters: crop, scale, rotate and compose images.")
  public func applyingFilter(_ filterName: String, parameters: [String: Any] = [:]) -> CIImage { self }
}

@available(*, unavailable, message: "The emulator recognizes nothing: send the picture to the app.")
public class CIDetector {
  public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {}
}
@available(*, unavailable, message: "The emulator recognizes nothing: send the picture to the app.")
public let CIDetectorTypeQRCode = ""

extension CIContext {
  @available(*, unavailable, message: "The emulator encodes JPEG only: use jpegRepresentation.")
  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { nil }
  @available(*, unavailable, message: "The emulator encodes JPEG only: use jpegRepresentation.")
  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { nil }
  @available(*, unavailable, message: "The emulator has no Metal: a CIContext renders on the CPU.")
  public convenience init(mtlDevice: any MTLDevice, options: [CIContextOption: Any]? = nil) { self.init() }
}

@available(*, unavailable, message: "The emulator has no Metal: a CIContext renders on the CPU.")
public protocol MTLDevice {}
@available(*, unavailable, message: "The emulator has no Metal: a CIContext renders on the CPU.")
public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { nil }
