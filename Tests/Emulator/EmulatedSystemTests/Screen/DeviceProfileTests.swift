import CommandLineSupport
import Testing

@testable import EmulatedSystem

@Suite struct DeviceProfileTests {
  @Test(arguments: [
    ("iphone-se", "750x1334", "750x1334"), ("iphone-xr", "828x1792", "828x1792"),
    ("iphone-x", "1125x2436", "886x1918"), ("iphone-15", "1179x2556", "886x1918"),
    ("iphone-16-pro-max", "1320x2868", "886x1918"), ("ipad-pro-13", "2064x2752", "2064x2752"),
  ])
  func aNameGivesThePanelAndTheSizeOfItsFrames(_ name: String, _ panel: String, _ frames: String) throws {
    let profile = try #require(DeviceProfile.all.first { $0.name == name })
    #expect("\(profile.panel)" == panel && "\(profile.frames)" == frames)
  }

  @Test func everyProfileIsPortraitAndHasItsOwnName() {
    let profiles = DeviceProfile.all
    #expect(profiles.allSatisfy { $0.panel.height > $0.panel.width })
    #expect(Set(profiles.map { OptionValue<DeviceProfile>.device.read($0.name) }).count == profiles.count)
  }

  @Test(arguments: [
    ("iphone-15", "iphone-15"), ("iphone15", "iphone-15"), ("iPhone 15 Pro", "iphone-15-pro"),
    ("iPhone-16 pro max", "iphone-16-pro-max"), ("iPhone SE", "iphone-se"), ("iPad Pro 13", "ipad-pro-13"),
    ("iphone", nil), ("nokia", nil), ("", nil),
  ])
  func aNameMayBeWrittenAsPeopleDo(_ text: String, _ name: String?) {
    #expect(OptionValue<DeviceProfile>.device.read(text)?.name == name)
  }

  @Test func theListHasEveryDeviceAndSaysWhatIsNotMeasured() {
    let lines = DeviceProfile.list.split(separator: "\n")
    #expect(lines.count == DeviceProfile.all.count + 1)
    #expect(lines.contains("iphone-15           886x1918   1179x2556  measured once"))
    #expect(lines.contains { $0.hasPrefix("ipad ") && $0.hasSuffix("not measured") })
  }
}
