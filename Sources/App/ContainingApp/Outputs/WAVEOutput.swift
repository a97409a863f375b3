import CommandLineSupport
import Dispatch
import Platform
import ScreenBroadcast
import SharedMemory

/// Writes one sound of a broadcast into a WAV file or a pipe, as it came, with silence where nothing came.
///
/// A file has one rate and one number of channels: those of its first sound. It is written on a queue of its own; a
/// reader of a pipe that is slow gets silence for what it left waiting too long.
package final class WAVEOutput: AudioOutput {
  private let kind: BroadcastAudioStream
  private let stream: WAVEStream
  private let now: () -> UInt64
  private let queue = DispatchQueue(label: "wav")

  /// An output of one stream into the file at `path`, or to standard output for `-`.
  ///
  /// - Parameter now: monotonic nanoseconds.
  package init(
    path: String, stream kind: BroadcastAudioStream,
    now: @escaping () -> UInt64 = { SystemClock().now.nanoseconds }
  ) throws(ProgramFailure) {
    self.kind = kind
    self.now = now
    stream = try WAVEStream(path: path)
    queue.async { [stream] in stream.open() }
  }

  /// Why writing stopped, once it has.
  package var failure: ProgramFailure? { stream.failure }

  /// How much a slow reader cost, if anything.
  package var notice: String? {
    let frames = stream.framesDropped
    return frames == 0
      ? nil : "\(frames) frames of sound are silent in \(stream.name), because its reader was slow."
  }

  /// Hands the sound to the writing queue.
  package func hear(_ audio: BroadcastAudio) {
    guard audio.stream == kind, stream.takesMore(audio) else { return }
    let arrival = now()
    queue.async { [stream] in stream.write(audio, arrival: arrival) }
  }

  /// Waits until the sound under way is written; five seconds at the most, for a reader that stands still.
  package func finish() throws(ProgramFailure) {
    try queue.close(stream.name, of: "sound") { [stream] in stream.close() }
    if let failure { throw failure }
  }
}
