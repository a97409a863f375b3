import EmulatedSystem
import Testing

@Suite struct DeviceProfileTests {
  @Test(arguments: [
    ("iphone-se", 750, 1334), ("iphone-14", 1170, 2532), ("iphone-15", 1179, 2556),
    ("iphone-16-pro", 1206, 2622), ("iphone-15-pro-max", 1290, 2796), ("iphone-16-pro-max", 1320, 2868),
    ("ipad-air", 1640, 2360), ("ipad-pro-13", 2064, 2752), ("iPhone-SE", 750, 1334),
  ])
  func aNameInAnyCaseGivesThePortraitSize(_ name: String, _ width: Int, _ height: Int) throws {
    let profile = try #require(DeviceProfile(named: name))
    #expect(profile.width == width)
    #expect(profile.height == height)
  }

  @Test func everyProfileIsFoundByItsNameAndIsPortrait() throws {
    for profile in DeviceProfile.all {
      #expect(DeviceProfile(named: profile.name) == profile)
      #expect(profile.height > profile.width)
    }
  }

  @Test func anUnknownNameHasNoProfile() {
    #expect(DeviceProfile(named: "nokia") == nil)
  }
}
