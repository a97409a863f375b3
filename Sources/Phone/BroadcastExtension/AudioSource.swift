import EmulatedDevice
import EmulatedSystem
import ReplayKitCore

/// The source of one audio stream of the emulated device.
enum AudioSource: String, CaseIterable {
  /// A tone with a time mark at each second.
  case tone
  /// Silent samples, as while no app plays.
  case silence
  case off

  /// The stream of this source, a tone of `frequency` hertz; `nil` if it is off.
  @MainActor
  func stream(_ type: RPSampleBufferType, frequency: Int, ios: IOSVersion) -> EmulatedAudio? {
    guard self != .off else { return nil }
    return EmulatedAudio(type: type, content: self == .tone ? EmulatedAudio.tone(frequency) : nil, ios: ios)
  }
}
