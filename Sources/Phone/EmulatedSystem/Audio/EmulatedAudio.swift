import CoreMedia
import EmulatedDevice
import Platform
import ReplayKitCore
import TestPatterns

/// One audio stream of the emulated device, in the packets that ReplayKit delivers.
///
/// ```swift
/// let audio = EmulatedAudio(type: .audioMic, content: EmulatedAudio.tone())
/// audio.start(at: now)
/// for sample in audio.samples(until: later) { handler.processSampleBuffer(sample, with: audio.type) }
/// ```
/// Times are on the clock of the video frames. A packet keeps its audio while the handler holds it.
@MainActor
package final class EmulatedAudio {
  package let type: RPSampleBufferType
  /// The sound that is played or recorded; `nil` for silence.
  package let content: AudioContent?
  package let framesPerPacket: Int
  /// Whether the samples are silent. The content continues in the meantime.
  package var isInterrupted = false
  /// Whether packets are delivered. Otherwise the content continues without them.
  package private(set) var isOn = true
  /// The number of packets that were requested too late. They count as dropped.
  package private(set) var packetsSkipped: UInt64 = 0

  /// The interval between checks for audio.
  package static let checkInterval = Duration.milliseconds(10)

  private let usualFormat: AudioFormat
  private var format: AudioFormat
  private var description: CMAudioFormatDescription?
  private var clock: SampleClock?
  private var nextFrame: UInt64 = 0

  /// Creates a stream of `.audioApp` or `.audioMic` with the format and packet size of a version of iOS. It has not
  /// started.
  package convenience init(
    type: RPSampleBufferType, content: AudioContent?, ios: IOSVersion = .newest,
    framesPerPacket: Int? = nil
  ) {
    self.init(
      type: type, content: content, format: .of(type, on: ios),
      framesPerPacket: framesPerPacket ?? AudioFormat.framesPerPacket(type, on: ios))
  }

  /// Creates a stream of `.audioApp` or `.audioMic` that has not started.
  package init(
    type: RPSampleBufferType, content: AudioContent?, format: AudioFormat, framesPerPacket: Int
  ) {
    precondition(type != .video, "an audio stream has audio")
    self.type = type
    self.content = content
    self.framesPerPacket = framesPerPacket
    usualFormat = format
    self.format = format
    description = format.description
  }

  /// Starts the stream at `time`, the time of its first frame.
  package func start(at time: MonotonicTime) {
    clock = SampleClock(start: time, sampleRate: format.sampleRate)
    nextFrame = 0
  }

  package func end() { isOn = false }

  /// Delivers packets of the content from `time` on.
  package func begin(at time: MonotonicTime) {
    isOn = true
    skip(to: time)
  }

  /// Applies a change of the device: a phone call, or another microphone.
  package func follow(_ old: DeviceState, _ new: DeviceState) {
    if old.call != new.call {
      if new.call == .endsAudio { end() }
      isInterrupted = new.call == .silencesAudio
    }
    if old.route != new.route, type == .audioMic { change(to: new.route) }
  }

  /// Continues after the last packet in another format.
  private func change(to route: AudioRoute) {
    format.sampleRate = route.sampleRate ?? usualFormat.sampleRate
    format.channelCount = route.channelCount ?? usualFormat.channelCount
    description = format.description
    guard let old = clock else { return }
    let new = SampleClock(start: old.start, sampleRate: format.sampleRate)
    nextFrame = new.firstFrame(notBefore: old.time(ofFrame: nextFrame))
    clock = new
  }

  /// Returns the packets that are complete at `time` and were not returned before, the oldest first and at most `count`. If
  /// more than one second of packets is due, only the newest second is kept.
  package func samples(until time: MonotonicTime, atMost count: Int = .max) -> [CMSampleBuffer] {
    guard let clock else { return [] }
    let due = packetsDue(at: time)
    let limit = max(1, UInt64(format.sampleRate / framesPerPacket))
    if due > limit { leaveOut(due - limit) }
    return (0..<Int(min(due, limit, UInt64(max(0, count))))).compactMap { _ in
      defer { nextFrame += UInt64(framesPerPacket) }
      return sample(at: clock)
    }
  }

  /// Drops the packets that are complete at `time` and were not returned.
  func leaveOutPackets(until time: MonotonicTime) { leaveOut(packetsDue(at: time)) }

  private func leaveOut(_ count: UInt64) {
    packetsSkipped += count
    nextFrame += count * UInt64(framesPerPacket)
  }

  /// Returns the number of packets that are complete at `time` and were not returned.
  private func packetsDue(at time: MonotonicTime) -> UInt64 {
    let complete = isOn ? clock?.framesComplete(at: time) ?? 0 : 0
    return complete > nextFrame ? (complete - nextFrame) / UInt64(framesPerPacket) : 0
  }

  /// Continues at `time` after a pause, without the earlier frames.
  package func skip(to time: MonotonicTime) {
    guard let clock else { return }
    nextFrame = max(nextFrame, clock.firstFrame(notBefore: time))
  }

  private func sample(at clock: SampleClock) -> CMSampleBuffer? {
    let played = content?(nextFrame, framesPerPacket, format.channelCount, clock)
    let samples = isInterrupted ? nil : played
    let time = clock.time(ofFrame: nextFrame)
    return format.packet(of: samples, frames: framesPerPacket, at: CMTime(time), description: description)
  }
}

/// The sound that an emulated device plays or records. Returns `count` frames from `frame` on, with interleaved channels.
///
/// Frames are requested in order, except the frames of a pause. The clock has the sample rate of the stream, and the time
/// of its frame 0.
package typealias AudioContent =
  @MainActor (_ frame: UInt64, _ count: Int, _ channelCount: Int, _ clock: SampleClock) -> [Int16]

extension EmulatedAudio {
  /// Returns a sine with a time mark at each whole second, the same on all channels. A reader can check with it whether the
  /// audio matches its timestamps. The frequency is in hertz, above 0 and below half the stream's sample rate.
  package static func tone(_ frequency: Int = 440) -> AudioContent {
    let tone = TestTone(frequency: frequency)
    return { frame, count, channelCount, clock in
      let samples = tone.samples(from: frame, count: count, of: clock)
      guard channelCount > 1 else { return samples }
      return samples.flatMap { repeatElement($0, count: channelCount) }
    }
  }
}
