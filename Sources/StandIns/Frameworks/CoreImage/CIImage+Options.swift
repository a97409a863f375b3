/// Without effect.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let colorSpace = CIImageOption(rawValue: "kCIImageColorSpace")
  public static let properties = CIImageOption(rawValue: "kCIImageProperties")
  public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}
