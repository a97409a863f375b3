import AppleFoundation
import Testing

@Suite struct MainBundleTests {
  @Test func theMainBundleHasTheValuesOfAnInfoPlist() throws {
    MainBundle.add([
      "AppGroupIdentifier": "group.com.example", "NSExtension": ["Attributes": ["a", 5] as [Any]],
    ])
    #expect(Bundle.main.object(forInfoDictionaryKey: "AppGroupIdentifier") as? String == "group.com.example")
    let info = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
    #expect((info?["Attributes"] as? [Any])?.last as? Int == 5)
  }
}
