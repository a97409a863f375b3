import CommandLineSupport
import EmulatedSystem
import ReplayKit
import SoundFormats

extension ExtensionProcess {
  /// The audio streams that the options ask for, app audio first.
  func audio(
    _ options: ProducerOptions, report: @escaping @MainActor (String) -> Void
  ) throws(ProgramFailure) -> [EmulatedAudio] {
    var audio: [EmulatedAudio] = []
    if let content = try content(of: options.appAudio, frequency: 440, report) {
      audio.append(
        EmulatedAudio(type: .audioApp, content: content, framesPerPacket: options.framesPerAudioPacket))
    }
    if let content = try content(of: options.microphone, frequency: 330, report) {
      audio.append(EmulatedAudio(type: .audioMic, content: content))
    }
    return audio
  }

  private func content(
    of source: SoundSource, frequency: Int, _ report: @escaping @MainActor (String) -> Void
  ) throws(ProgramFailure) -> (any AudioContent)? {
    switch source {
    case .off: return nil
    case .silence: return SilentContent()
    case .tone: return ToneContent(frequency: frequency)
    case .wave(let path):
      do throws(WAVEReader.Error) {
        return try WaveContent(path: path, loops: true) { report("\($0).") }
      } catch {
        throw ProgramFailure(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
      }
    }
  }
}
