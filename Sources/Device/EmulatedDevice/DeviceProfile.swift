import Platform

/// A device model: its panel, and the size of the frames that a broadcast upload extension receives on it. Frames are in
/// portrait, however the device is held.
///
/// `Docs/Devices.md` lists the sources. No phone was observed to deliver more than 1920 rows; frames of taller panels are scaled
/// down.
package struct DeviceProfile: Codable, Hashable, Sendable {
  /// How well a fact about devices is established.
  package enum Confidence: String, Sendable {
    /// Measured by two or more people.
    case measuredTwice = "measured twice"
    case measuredOnce = "measured once"
    /// Stated by someone who ships such an extension.
    case stated
    /// Without a measurement or a device.
    case hearsay
    case notMeasured = "not measured"
  }

  /// The name on the command line, such as `iphone-15`.
  package let name: String
  /// The size of the panel in pixels. The width may be odd.
  package let panel: PixelSize
  package let frames: PixelSize
  package let confidence: Confidence

  /// All profiles: phones in the order of their panels' ages, then tablets.
  package static let all: [DeviceProfile] =
    devices(750, 1334, "iphone-se", known: .measuredOnce) + devices(750, 1334, "iphone-8")
    + devices(828, 1792, "iphone-xr", "iphone-11", known: .stated)
    + devices(1125, 2436, "iphone-x", known: .measuredOnce)
    + devices(1125, 2436, "iphone-xs", "iphone-11-pro")
    + devices(1242, 2688, "iphone-xs-max", "iphone-11-pro-max")
    + devices(1080, 2340, "iphone-12-mini") + devices(1080, 2340, "iphone-13-mini", known: .stated)
    + devices(
      1170, 2532, "iphone-12", "iphone-12-pro", "iphone-13", "iphone-13-pro", "iphone-14", "iphone-16e")
    + devices(1284, 2778, "iphone-12-pro-max", "iphone-13-pro-max", "iphone-14-plus")
    + devices(1179, 2556, "iphone-15", known: .measuredOnce)
    + devices(1179, 2556, "iphone-14-pro", "iphone-15-pro", "iphone-16")
    + devices(1290, 2796, "iphone-14-pro-max", "iphone-15-plus", "iphone-15-pro-max", "iphone-16-plus")
    + devices(1206, 2622, "iphone-16-pro", "iphone-17", "iphone-17-pro")
    + devices(1320, 2868, "iphone-16-pro-max", "iphone-17-pro-max") + devices(1260, 2736, "iphone-air")
    + devices(1488, 2266, "ipad-mini") + devices(1640, 2360, "ipad", "ipad-air")
    + devices(1668, 2420, "ipad-pro-11") + devices(2064, 2752, "ipad-pro-13")

  /// The default phone.
  package static let standard = all.first { $0.name == "iphone-15" } ?? all[0]

  /// The default device of checks, chosen for its small frames.
  package static let ofChecks = named("iphone-8") ?? standard

  package var isTablet: Bool { name.hasPrefix("ipad") }
  /// The pixels per point in the app's drawing: `UIScreen.scale`.
  package var scale: Int { isTablet || panel.width <= 828 ? 2 : 3 }
  /// The size of the screen in points. The two small iPhones draw for a panel of 1125x2436, and the result is scaled down.
  package var points: PixelSize {
    let drawn = panel.width == 1080 ? PixelSize(width: 1125, height: 2436) : panel
    return PixelSize(width: drawn.width / scale, height: drawn.height / scale)
  }
  /// The pixels of the panel per point: `UIScreen.nativeScale`.
  package var nativeScale: Double { Double(panel.width) / Double(points.width) }

  private init(name: String, panel: PixelSize, confidence: Confidence) {
    self.name = name
    self.panel = panel
    self.confidence = confidence
    let isScaled = panel.height > 1920 && name.hasPrefix("iphone")
    frames = isScaled ? PixelSize(width: 886, height: 1918) : panel
  }

  /// Decodes a name. An unknown name, for example from another version, becomes the standard device.
  package init(from decoder: any Decoder) throws {
    self = Self.named(try decoder.singleValueContainer().decode(String.self)) ?? .standard
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  private static func devices(
    _ width: Int, _ height: Int, _ names: String..., known confidence: Confidence = .notMeasured
  ) -> [DeviceProfile] {
    names.map {
      DeviceProfile(name: $0, panel: PixelSize(width: width, height: height), confidence: confidence)
    }
  }

  /// Returns the device with a name, in any common spelling (`iphone-15`, `iphone15`, `iPhone 15`).
  package static func named(_ name: String) -> DeviceProfile? {
    all.first { key($0.name) == key(name) }
  }

  /// Returns the letters and digits of a name. They are unique among the devices.
  package static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
