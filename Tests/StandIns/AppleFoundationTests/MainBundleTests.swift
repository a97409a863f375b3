import AppleFoundation
import Testing

@Suite struct MainBundleTests {
  /// In a separate process, because the other tests have the same main bundle.
  @Test func theMainBundleHasTheValuesOfAnInfoPlist() async {
    await #expect(processExitsWith: .success) {
      MainBundle.add([
        "AppGroupIdentifier": "group.com.example", "NSExtension": ["Attributes": ["a", 5] as [Any]],
      ])
      #expect(
        Bundle.main.object(forInfoDictionaryKey: "AppGroupIdentifier") as? String == "group.com.example")
      let info = Bundle.main.infoDictionary?["NSExtension"] as? [String: Any]
      #expect((info?["Attributes"] as? [Any])?.last as? Int == 5)
    }
  }
}
