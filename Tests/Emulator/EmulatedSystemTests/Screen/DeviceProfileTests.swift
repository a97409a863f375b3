import CommandLineSupport
import EmulatedSystem
import Testing

@Suite struct DeviceProfileTests {
  @Test(arguments: [
    ("iphone-se", 750, 1334), ("iphone-14", 1170, 2532), ("iphone-15", 1179, 2556),
    ("iphone-16-pro", 1206, 2622), ("iphone-15-pro-max", 1290, 2796), ("iphone-16-pro-max", 1320, 2868),
    ("ipad-air", 1640, 2360), ("ipad-pro-13", 2064, 2752),
  ])
  func aNameGivesThePortraitSize(_ name: String, _ width: Int, _ height: Int) throws {
    let profile = try #require(DeviceProfile.all.first { $0.name == name })
    #expect(profile.size.width == width && profile.size.height == height)
  }

  @Test func everyProfileIsPortraitAndHasItsOwnName() {
    let profiles = DeviceProfile.all
    #expect(profiles.allSatisfy { $0.size.height > $0.size.width })
    #expect(Set(profiles.map { $0.name.lowercased() }).count == profiles.count)
  }
}
