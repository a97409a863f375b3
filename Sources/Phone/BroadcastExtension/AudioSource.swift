import EmulatedDevice
import EmulatedSystem
import ReplayKitCore

/// The source of one audio stream of the emulated device.
enum AudioSource: String, CaseIterable {
  /// A tone with a time mark at each second.
  case tone
  /// Silence, as delivered while no app plays.
  case silence
  case off

  /// Returns the stream of this source, with a tone of `frequency` hertz; `nil` if the source is off.
  @MainActor
  func stream(_ type: RPSampleBufferType, frequency: Int, ios: IOSVersion) -> EmulatedAudio? {
    guard self != .off else { return nil }
    return EmulatedAudio(type: type, content: self == .tone ? EmulatedAudio.tone(frequency) : nil, ios: ios)
  }
}
