import CommandLineSupport

/// A device, with the size of the frames that a broadcast upload extension gets there: in portrait, however it is held.
///
/// Docs/Devices.md has the sources. No phone was seen to deliver more than 1920 rows: taller panels are scaled down.
package struct DeviceProfile: Hashable, Sendable {
  /// How well a fact about devices is known.
  package enum Confidence: String, Sendable {
    /// By two or more people.
    case measuredTwice = "measured twice"
    case measuredOnce = "measured once"
    /// Someone who ships such an extension says so.
    case stated
    /// Without a measurement or a device.
    case hearsay
    case notMeasured = "not measured"
  }

  /// The name on the command line, such as `iphone-15`.
  package let name: String
  /// The pixels of the panel, whose width may be odd.
  package let panel: PixelSize
  /// The size of the frames.
  package let frames: PixelSize
  package let confidence: Confidence

  /// Every profile: phones by the age of their panels, then tablets.
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

  /// The phone whose frames are delivered unless another one is named.
  package static let standard = DeviceProfile(
    name: "iphone-15", panel: PixelSize(width: 1179, height: 2556), confidence: .measuredOnce)

  private init(name: String, panel: PixelSize, confidence: Confidence) {
    (self.name, self.panel, self.confidence) = (name, panel, confidence)
    let isScaled = panel.height > 1920 && name.hasPrefix("iphone")
    frames = isScaled ? PixelSize(width: 886, height: 1918) : panel
  }

  private static func devices(
    _ width: Int, _ height: Int, _ names: String..., known confidence: Confidence = .notMeasured
  ) -> [DeviceProfile] {
    names.map {
      DeviceProfile(name: $0, panel: PixelSize(width: width, height: height), confidence: confidence)
    }
  }

  /// A table for people: the names, what is delivered, and how well that is known.
  package static var list: String {
    let rows =
      [("device", "frames", "panel", "frames are")]
      + all.map { ($0.name, "\($0.frames)", "\($0.panel)", $0.confidence.rawValue) }
    return rows.map { $0.padded(20) + $1.padded(11) + $2.padded(11) + $3 }.joined(separator: "\n")
  }
}

extension OptionValue where Value == DeviceProfile {
  /// A device by its name, as people write it: `iphone-15`, `iphone15`, `iPhone 15`.
  package static let device = Self(
    "a device of --list-devices", text: \.name, choices: DeviceProfile.all.map(\.name),
    meant: { text in
      let near = Spelling.nearest(to: key(text), among: DeviceProfile.all.map { key($0.name) })
      return DeviceProfile.all.first { key($0.name) == near }?.name
    },
    read: { text in DeviceProfile.all.first { key($0.name) == key(text) } })

  private static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
