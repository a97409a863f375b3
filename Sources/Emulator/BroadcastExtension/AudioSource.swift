import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import ReplayKit
import SoundFormats

/// The source of one audio stream of the emulated device.
enum AudioSource: Equatable {
  case off
  /// Silent samples, as while no app plays.
  case silence
  /// A tone with a time mark at each second.
  case tone
  /// A WAV file, repeated.
  case wave(path: String)

  /// The path of the file; `nil` without one.
  var path: String? { if case .wave(let path) = self { path } else { nil } }

  /// The stream of this source, a tone of `frequency` hertz; `nil` if it is off. `report` receives the problem of a file
  /// that becomes unreadable.
  @MainActor
  func stream(
    _ type: RPSampleBufferType, frequency: Int, ios: IOSVersion,
    report: @escaping @MainActor (String) -> Void
  ) throws(ProgramFailure) -> EmulatedAudio? {
    let content: (any AudioContent)?
    switch self {
    case .off: return nil
    case .silence: content = nil
    case .tone: content = ToneContent(frequency: frequency)
    case .wave(let path):
      do throws(WAVEReader.Error) {
        content = try WaveContent(path: path, loops: true) { report("\($0).") }
      } catch {
        throw ProgramFailure(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
      }
    }
    return EmulatedAudio(type: type, content: content, ios: ios)
  }
}

extension OptionValue where Value == AudioSource {
  static var audioSource: Self {
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
