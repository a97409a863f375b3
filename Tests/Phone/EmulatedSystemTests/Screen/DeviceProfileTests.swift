import EmulatedDevice
import TestSupport

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

  /// The sizes in Apple's Human Interface Guidelines, "Device screen sizes and orientations".
  private static let screens = [
    ("375x667 @2", "iphone-se iphone-8"),
    ("414x896 @2", "iphone-xr iphone-11"),
    ("375x812 @3", "iphone-x iphone-xs iphone-11-pro iphone-12-mini iphone-13-mini"),
    ("414x896 @3", "iphone-xs-max iphone-11-pro-max"),
    ("390x844 @3", "iphone-12 iphone-12-pro iphone-13 iphone-13-pro iphone-14 iphone-16e"),
    ("428x926 @3", "iphone-12-pro-max iphone-13-pro-max iphone-14-plus"),
    ("393x852 @3", "iphone-15 iphone-14-pro iphone-15-pro iphone-16"),
    ("430x932 @3", "iphone-14-pro-max iphone-15-plus iphone-15-pro-max iphone-16-plus"),
    ("402x874 @3", "iphone-16-pro iphone-17 iphone-17-pro"),
    ("440x956 @3", "iphone-16-pro-max iphone-17-pro-max"),
    ("420x912 @3", "iphone-air"),
    ("744x1133 @2", "ipad-mini"),
    ("820x1180 @2", "ipad ipad-air"),
    ("834x1210 @2", "ipad-pro-11"),
    ("1032x1376 @2", "ipad-pro-13"),
  ]

  @Test func eachDeviceHasItsPointsAndScale() {
    let screens = Self.screens.flatMap { screen, names in
      names.split(separator: " ").map { (String($0), screen) }
    }
    let profiles = DeviceProfile.all.map { ($0.name, "\($0.points) @\($0.scale)") }
    #expect(Dictionary(uniqueKeysWithValues: profiles) == Dictionary(uniqueKeysWithValues: screens))
    let reduced = DeviceProfile.all.filter { $0.nativeScale != Double($0.scale) }
    #expect(reduced.map(\.name) == ["iphone-12-mini", "iphone-13-mini"])
    #expect(reduced.allSatisfy { $0.nativeScale == 2.88 })
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
