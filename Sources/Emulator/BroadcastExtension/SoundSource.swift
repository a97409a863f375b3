import CommandLineSupport

/// The source of one audio stream of the emulated device.
enum SoundSource: Equatable {
  /// No samples.
  case off
  /// Silent samples, as while no app plays.
  case silence
  /// A tone with a time mark at each second.
  case tone
  /// A WAV file, repeated.
  case wave(path: String)
}

extension OptionValue where Value == SoundSource {
  /// `tone`, `silence`, `off` or `wav:PATH`.
  static var sound: Self {
    Self("tone, silence, wav:PATH or off") { text in
      switch text {
      case "off": .off
      case "silence": .silence
      case "tone": .tone
      default:
        text.hasPrefix("wav:") && text.count > "wav:".count
          ? .wave(path: String(text.dropFirst("wav:".count))) : nil
      }
    }
  }
}
