extension Device {
  package struct Identity: Codable, Equatable, Sendable, CustomStringConvertible {
    package var profile = DeviceProfile.standard
    package var ios = IOSVersion.newest
    /// The footprint in bytes above which an extension is killed; `nil` if there is no limit.
    package var memoryLimit: UInt64?

    package init(
      profile: DeviceProfile = .standard, ios: IOSVersion = .newest,
      memoryLimit: UInt64? = Device.usualMemoryLimit
    ) {
      self.profile = profile
      self.ios = ios
      self.memoryLimit = memoryLimit
    }

    /// Reads the device from `$BROADCAST_DEVICE` and `$BROADCAST_IOS`. The program that starts an app sets them. `nil` if neither
    /// is set or valid.
    init?(environment: [String: String]) {
      let profile = environment["BROADCAST_DEVICE"].flatMap(DeviceProfile.named)
      let ios = environment["BROADCAST_IOS"].flatMap(IOSVersion.init(_:))
      guard profile != nil || ios != nil else { return nil }
      self.init(profile: profile ?? .standard, ios: ios ?? .newest)
    }

    /// For example `iphone-15 with iOS 26, extensions up to 50 MiB`.
    package var description: String {
      "\(profile.name) with iOS \(ios), extensions "
        + (memoryLimit.map { "up to \($0 >> 20) MiB" } ?? "without a memory limit")
    }

    /// The environment variables that pass this identity to an app.
    package var environment: [String: String] {
      ["BROADCAST_DEVICE": profile.name, "BROADCAST_IOS": ios.text]
    }
  }
}
