import CommandLineSupport

/// The screen of a device: the size of ReplayKit's frames, in portrait in every orientation of the device.
package struct DeviceProfile: Hashable, Sendable {
  /// The name on the command line, such as `iphone-15`.
  package let name: String
  /// The size of the frames in pixels, whose width may be odd.
  package let size: PixelSize

  /// Every profile: phones first, then by size.
  package static let all: [DeviceProfile] =
    devices(750, 1334, "iphone-8", "iphone-se")
    + devices(
      1170, 2532, "iphone-12", "iphone-12-pro", "iphone-13", "iphone-13-pro", "iphone-14", "iphone-16e")
    + devices(1179, 2556, "iphone-14-pro", "iphone-15", "iphone-15-pro", "iphone-16")
    + devices(1206, 2622, "iphone-16-pro", "iphone-17", "iphone-17-pro")
    + devices(1290, 2796, "iphone-14-pro-max", "iphone-15-plus", "iphone-15-pro-max", "iphone-16-plus")
    + devices(1320, 2868, "iphone-16-pro-max", "iphone-17-pro-max")
    + devices(1640, 2360, "ipad", "ipad-air")
    + devices(2064, 2752, "ipad-pro-13")

  private static func devices(_ width: Int, _ height: Int, _ names: String...) -> [DeviceProfile] {
    names.map { DeviceProfile(name: $0, size: PixelSize(width: width, height: height)) }
  }
}
