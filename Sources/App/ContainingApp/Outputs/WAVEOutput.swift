import CommandLineSupport
import Platform
import ScreenBroadcast
import SoundFormats

/// Writes one audio stream of a broadcast into a WAV file or a pipe, with silence where audio is missing.
///
/// The first audio decides the rate and the number of channels of the file. Audio that a slow reader leaves waiting too
/// long becomes silence.
package final class WAVEOutput: AudioOutput {
  private struct Content {
    var writer: WAVEWriter?
    var timeline = AudioTimeline()
  }

  private let audioStream: BroadcastAudioStream
  private let stream: BackgroundStream<Content>
  private let clock: any MonotonicClock
  private let start: RecordingStart?
  /// The audio that arrived before the start was known.
  private var held: [BroadcastAudio] = []

  /// The audio that may wait to be written, in seconds.
  private static let capacity = 10.0
  /// The time for which audio is held before the start is known: a frame is not older on its arrival.
  private static let heldTime = Duration.seconds(2)
  /// The most silence that one call writes, in samples.
  private nonisolated static let blockLength = 1 << 16

  /// An output of one stream into the file at `path`, or to standard output for `-`.
  ///
  /// - Parameter start: the moment at which the file starts; `nil` to start with the first audio.
  package init(
    path: String, stream audioStream: BroadcastAudioStream, start: RecordingStart? = nil,
    clock: any MonotonicClock = SystemClock()
  ) throws(ProgramFailure) {
    self.start = start
    self.audioStream = audioStream
    self.clock = clock
    stream = try BackgroundStream(path: path, capacity: Self.capacity, content: Content())
  }

  package var failure: ProgramFailure? { stream.failure }

  package var notice: String? {
    let frames = stream.framesDropped
    return frames == 0
      ? nil : "\(frames) frames of audio are silent in \(stream.name), because its reader was slow."
  }

  package func receive(_ audio: BroadcastAudio) {
    guard audio.stream == audioStream else { return }
    guard let start else { return write(audio) }
    held.append(audio)
    guard start.time == nil else { return writeHeld() }
    held.removeAll { audio.time > $0.time + Self.heldTime }
  }

  /// Writes the held audio from the start on, if that is known.
  private func writeHeld() {
    guard let time = start?.time else { return }
    for audio in held { if let part = audio.part(from: time) { write(part) } }
    held = []
  }

  private func write(_ audio: BroadcastAudio) {
    let seconds = audio.sampleRate > 0 ? Double(audio.frameCount) / audio.sampleRate : 0
    guard stream.reserve(seconds, frames: audio.frameCount) else { return }
    let (arrival, start) = (clock.now, start?.time)
    stream.write(seconds) { [name = stream.name] file, content in
      let format = WAVEFormat(sampleRate: Int(audio.sampleRate.rounded()), channelCount: audio.channelCount)
      let writer =
        try content.writer
        ?? WAVEWriter(file, sampleRate: format.sampleRate, channelCount: format.channelCount)
      content.writer = writer
      guard writer.format == format else {
        throw ProgramFailure(
          .inputOutput,
          "\(name) began with \(writer.format.text) and cannot continue with \(format.text); "
            + "write a file for each broadcast.")
      }
      var silence =
        format.channelCount
        * content.timeline.silence(
          before: audio, arrival: arrival, recordingStart: start)
      while silence > 0 {
        try writer.write([Int16](repeating: 0, count: min(silence, Self.blockLength)))
        silence -= min(silence, Self.blockLength)
      }
      try writer.write(audio.samples)
    }
  }

  /// Waits until the waiting audio is written, up to five seconds, and completes the header of the file.
  package func finish() throws(ProgramFailure) {
    writeHeld()
    try stream.close(of: "audio") { content in try content.writer?.finish() }
  }
}

extension WAVEFormat {
  fileprivate var text: String {
    "\(sampleRate) Hz on \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}
