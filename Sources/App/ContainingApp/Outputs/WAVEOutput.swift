import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SoundFormats

/// Writes one audio stream of a broadcast into a WAV file or a pipe, with silence where audio is missing.
///
/// The first audio decides the rate and the number of channels of the file; later audio in another format is converted, as after
/// a change of the route in the middle of a broadcast. Audio that a slow reader leaves waiting too long becomes silence.
package final class WAVEOutput: AudioOutput {
  private struct File {
    let writer: WAVEWriter
    var converter: SampleConverter
    var timeline: AudioTimeline

    init(_ file: FileHandle, _ format: WAVEFormat) throws(WAVEWriter.Error) {
      writer = try WAVEWriter(file, sampleRate: format.sampleRate, channelCount: format.channelCount)
      converter = SampleConverter(to: format)
      timeline = AudioTimeline(sampleRate: Double(format.sampleRate))
    }

    func writeSilence(_ frames: Int) throws(WAVEWriter.Error) {
      var count = frames * writer.format.channelCount
      while count > 0 {
        try writer.write([Int16](repeating: 0, count: min(count, blockLength)))
        count -= min(count, blockLength)
      }
    }
  }

  private let audioStream: BroadcastAudioStream
  private let stream: BackgroundStream<File?>
  private let clock: any MonotonicClock
  private let start: RecordingStart?
  /// The formats of the audio, in the order of their first appearance; the first is that of the file.
  private var formats: [WAVEFormat] = []
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
    stream = try BackgroundStream(path: path, capacity: Self.capacity, content: nil)
  }

  package var failure: ProgramFailure? { stream.failure }

  package var notice: String? {
    guard let first = formats.first else { return "No \(audioStream.name) came; \(stream.name) is empty." }
    let frames = stream.framesDropped
    let sentences = [
      frames == 0
        ? nil : "\(frames) frames of audio are silent in \(stream.name), because its reader was slow.",
      formats.count == 1
        ? nil
        : "The format of \(audioStream.name) changed: what came with "
          + "\(formats.dropFirst().map(\.text).joined(separator: " and ")) has the \(first.text) of the first audio in "
          + "\(stream.name).",
    ].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
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
    let format = WAVEFormat(sampleRate: Int(audio.sampleRate.rounded()), channelCount: audio.channelCount)
    if !formats.contains(format) { formats.append(format) }
    stream.write(seconds) { handle, content in
      var file = try content ?? File(handle, format)
      defer { content = file }
      let samples = file.converter.convert(audio.samples, from: format)
      try file.writeSilence(
        file.timeline.silence(
          before: audio, writtenAs: samples.count / file.writer.format.channelCount, arrival: arrival,
          recordingStart: start))
      try file.writer.write(samples)
    }
  }

  /// Waits until the waiting audio is written, up to five seconds, and completes the file.
  package func finish() throws(ProgramFailure) {
    writeHeld()
    let (end, now) = (start?.latest, clock.now)
    try stream.close(of: "audio") { file in
      // As long as the frames, so that both can be muxed.
      if let end, let silence = file?.timeline.silence(until: end, now: now) {
        try file?.writeSilence(silence)
      }
      try file?.writer.finish()
    }
  }
}

extension WAVEFormat {
  /// The format as a part of a sentence.
  var text: String { "\(sampleRate) Hz on \(channelCount) channel\(channelCount == 1 ? "" : "s")" }
}

extension BroadcastAudioStream {
  /// The name as a part of a sentence.
  var name: String {
    switch self {
    case .app: "app audio"
    case .microphone: "microphone audio"
    }
  }
}
