/// The Info.plist keys under which public SDKs read the app group and the extension's identifier.
struct SDKKeys {
  let name: String
  let group: String
  /// The keys for the extension's identifier in the app's Info.plist. One of them must be present.
  let `extension`: [String]
  /// Whether the extension's Info.plist must name the group as well.
  var isGroupInExtension = false
  /// Whether other code may use the name of the group's key, so that the key counts only together with a key in
  /// `extension`.
  var isCommonName = false

  static let all = [
    SDKKeys(
      name: "LiveKit, Jitsi, flutter-webrtc, react-native-webrtc, VideoSDK and Daily",
      group: "RTCAppGroupIdentifier",
      extension: ["RTCScreenSharingExtension", "DailyScreenCaptureExtensionBundleIdentifier"]),
    SDKKeys(
      name: "RealtimeKit", group: "RTKRTCAppGroupIdentifier", extension: ["RTKRTCScreenSharingExtension"],
      isGroupInExtension: true),
    SDKKeys(
      name: "Fishjam", group: "AppGroupName", extension: ["ScreencastExtensionBundleId"],
      isCommonName: true),
    SDKKeys(
      name: "react-native-nitro-screen-recorder", group: "BroadcastExtensionAppGroupIdentifier",
      extension: ["BroadcastExtensionBundleIdentifier"], isGroupInExtension: true),
    SDKKeys(
      name: "Dolby.io", group: "DolbyioSdkAppGroupKey", extension: ["DolbyioSdkPreferredExtensionKey"]),
  ]

  /// Whether an SDK reads the identifier of the extension under this key.
  static func isExtension(_ key: String) -> Bool { all.contains { $0.extension.contains(key) } }

  /// Whether a key is for the identifier of a broadcast extension: a known key, or a similar name.
  static func isForExtension(_ key: String) -> Bool {
    if isExtension(key) { return true }
    guard !all.contains(where: { $0.group == key }) else { return false }
    let key = key.lowercased()
    return key.contains("extension") && !key.contains("group")
      && ["broadcast", "screen", "upload", "replay"].contains { key.contains($0) }
  }
}
