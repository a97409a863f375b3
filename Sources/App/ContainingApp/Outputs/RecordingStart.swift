import Platform
import ScreenBroadcast

/// The moment at which the files of one watch start: the time of the first frame that is written.
///
/// A watch that joins a running broadcast gets the audio of the last second and the frames from now on. Without a common
/// start, the film would be shorter at its beginning than the audio.
@MainActor
package final class RecordingStart {
  /// The time of the first frame; `nil` before it.
  private(set) var time: MonotonicTime?

  package init() {}

  /// Notes the time of a written frame.
  func note(_ time: MonotonicTime) { self.time = self.time ?? time }
}

extension BroadcastAudio {
  /// The part of the run from `start` on; `nil` if the run ends before.
  func part(from start: MonotonicTime) -> BroadcastAudio? {
    guard start > time, sampleRate > 0 else { return self }
    let count = ((start - time) / .seconds(1) * sampleRate).rounded()
    guard count < Double(frameCount) else { return nil }
    var part = self
    part.samples.removeFirst(Int(count) * channelCount)
    part.time = time + .seconds(count / sampleRate)
    part.index = index &+ UInt64(count)
    return part
  }
}
