import CommandLineSupport
import CoreVideo
import Platform
import ScreenBroadcast
import WebRTC

/// A destination of what a watch receives: a file, a stream or a terminal.
@MainActor
package protocol WatchOutput: AnyObject, Sendable {
  /// Why the output stopped; `nil` while it goes well.
  var failure: ProgramFailure? { get }

  /// Information for people at the end, although nothing failed.
  var notice: String? { get }

  /// Completes the output; it receives nothing afterwards. Throws the failure of the output.
  func finish() throws(ProgramFailure)
}

extension WatchOutput {
  package var failure: ProgramFailure? { nil }
  package var notice: String? { nil }
}

/// An output of the frames that enter the call. The track calls it on the queue of the source, which is the main queue.
package protocol VideoOutput: WatchOutput, RTCVideoRenderer {}

extension VideoOutput {
  /// Does nothing: each frame has its size.
  package nonisolated func setSize(_ size: CGSize) {}
}

/// An output of the audio of a broadcast.
package protocol AudioOutput: WatchOutput {
  /// Receives audio of any stream, in order.
  func receive(_ audio: BroadcastAudio)
}

/// The moment at which the files of one watch start: the time of the first frame that is written.
///
/// A watch that joins a running broadcast gets the audio of the last second and the frames from now on. Without a common
/// start, the film would be shorter at its beginning than the audio.
@MainActor
package final class RecordingStart {
  /// The time of the first frame; `nil` before it.
  private(set) var time: MonotonicTime?
  /// The capture time of the newest frame; `nil` before any. The times of the call's own frames are translated.
  private(set) var latest: MonotonicTime?

  package init() {}

  package func follow(_ call: VideoCall) {
    call.observeFrames { [weak self] _, _, time, _ in self?.latest = time }
  }

  /// Notes that the frame that enters the call now is written.
  func noteFrame() { if let latest { note(latest) } }

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
