import CommandLineSupport
import EmulatedDevice
import Platform
import ReplayKitCore
import ScreenBroadcast

extension DeviceProfile {
  /// A table for people: the names, the delivered frames, and how reliable the data is.
  package static var list: String {
    let rows =
      [("device", "frames", "panel", "frames are")]
      + all.map { ($0.name, "\($0.frames)", "\($0.panel)", $0.confidence.rawValue) }
    return rows.map { $0.padded(20) + $1.padded(11) + $2.padded(11) + $3 }.joined(separator: "\n")
  }
}

extension OptionValue where Value == DeviceProfile {
  package static let device = Self(
    "a device of --list-devices", text: \.name, field: .choice(DeviceProfile.all.map(\.name)),
    meant: { text in
      let near = Spelling.nearest(
        to: DeviceProfile.key(text), among: DeviceProfile.all.map { DeviceProfile.key($0.name) })
      return near.flatMap(DeviceProfile.named)?.name
    },
    read: DeviceProfile.named)
}

extension OptionValue where Value == IOSVersion {
  /// A version of iOS with broadcast extensions.
  package static let ios = Self(
    "a version of iOS: 11 to 18, or 26",
    advice: { text in
      IOSVersion.numbers(in: text).map { $0[0] > 26 } == true
        ? "from iOS 27 on an app captures with ScreenCaptureKit: 'capturer --framework screencapturekit'"
        : nil
    },
    read: { text in IOSVersion(text).flatMap { $0 > .newest ? nil : $0 } })
}

extension ScreenOptions {
  /// Records the person's answer to a request of the app: `photos:denied`, `microphone:granted`.
  package mutating func permit(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch (Permission(rawValue: String(parts[0])), parts.dropFirst()) {
    case (let permission?, ["denied"]): denied.insert(permission)
    case (let permission?, ["granted"]): denied.remove(permission)
    default:
      throw UsageError(
        "--permission expects photos, notifications or microphone, and granted or denied, as in photos:denied, not "
          + "\(text.quoted).")
    }
  }
}

extension OptionValue where Value == AudioRoute {
  static let route = Self(
    "\(AudioRoute.known.map(\.text).joined(separator: ", ")), or a rate and a number of channels as in 16000x2",
    text: \.text, field: .choice(AudioRoute.known.map(\.text) + ["16000x2"]), read: AudioRoute.init(text:))
}

extension OptionValue where Value == CGImagePropertyOrientation {
  static let orientation = Self(
    "one of \(CGImagePropertyOrientation.all.map(\.name).joined(separator: ", "))", text: \.name,
    field: .choice(CGImagePropertyOrientation.all.map(\.name)),
    read: { text in CGImagePropertyOrientation.all.first { $0.name == text } })
}

extension CommonOptions {
  /// Returns the container that both programs share. It may not exist yet.
  package func appGroupContainer() throws(ProgramFailure) -> AppGroupContainer {
    do { return try AppGroupContainer(root: container ?? AppGroupRoot.standard().path, group: group) } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
  }
}
