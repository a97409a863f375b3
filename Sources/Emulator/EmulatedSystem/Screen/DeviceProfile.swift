/// The screen of a device: the pixels ReplayKit delivers for it, in portrait whichever way it is held.
public struct DeviceProfile: Hashable, Sendable {
  /// The name as typed on a command line, such as `iphone-15`.
  public let name: String
  /// Pixels in a row. Odd for some devices.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Every profile, phones first, by size.
  public static let all: [DeviceProfile] =
    devices(750, 1334, "iphone-8", "iphone-se")
    + devices(
      1170, 2532, "iphone-12", "iphone-12-pro", "iphone-13", "iphone-13-pro", "iphone-14", "iphone-16e")
    + devices(1179, 2556, "iphone-14-pro", "iphone-15", "iphone-15-pro", "iphone-16")
    + devices(1206, 2622, "iphone-16-pro", "iphone-17", "iphone-17-pro")
    + devices(1290, 2796, "iphone-14-pro-max", "iphone-15-plus", "iphone-15-pro-max", "iphone-16-plus")
    + devices(1320, 2868, "iphone-16-pro-max", "iphone-17-pro-max")
    + devices(1640, 2360, "ipad", "ipad-air")
    + devices(2064, 2752, "ipad-pro-13")

  /// The profile of a name, in any case of letters; `nil` when no profile has it.
  public init?(named name: String) {
    guard let profile = Self.all.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = profile
  }

  private init(name: String, width: Int, height: Int) {
    self.name = name
    self.width = width
    self.height = height
  }

  private static func devices(_ width: Int, _ height: Int, _ names: String...) -> [DeviceProfile] {
    names.map { DeviceProfile(name: $0, width: width, height: height) }
  }
}
