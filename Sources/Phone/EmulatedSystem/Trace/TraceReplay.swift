import CoreMedia
import EmulatedDevice
import Foundation
import Platform
import ReplayKitCore
import ScreenBroadcast
import TestPatterns

/// Replays a trace: keeps the position of the next call, and creates the audio.
@MainActor
package final class TraceReplay {
  let trace: Trace
  /// The index of the next call. Call 0 is the start of the broadcast.
  fileprivate var next = 1
  /// The end of the calls that were due before the handler had started. It misses samples in this range, as on a phone.
  fileprivate var startEnd = 0
  fileprivate var videoShape: TraceLine.VideoShape?
  private var tones: [RPSampleBufferType: TraceTone] = [:]

  package init(_ trace: Trace) { self.trace = trace }

  fileprivate var nextLine: TraceLine? { next < trace.lines.count ? trace.lines[next] : nil }

  /// Returns the time from the start of the broadcast to a call.
  fileprivate func offset(of line: TraceLine) -> Duration {
    .nanoseconds(line.arrival - trace.lines[0].arrival)
  }

  fileprivate func packet(
    _ type: RPSampleBufferType, _ shape: TraceLine.AudioShape, at time: CMTime
  ) -> CMSampleBuffer? {
    var tone = tones[type] ?? TraceTone(frequency: type == .audioApp ? 440 : 330, format: shape.format)
    if tone.format != shape.format { tone = TraceTone(frequency: tone.frequency, format: shape.format) }
    defer { tones[type] = tone }
    return tone.packet(of: shape.frames, at: time)
  }
}

/// Generates a tone in packets whose times come from a trace.
private struct TraceTone {
  let frequency: Int
  let format: AudioFormat
  private let description: CMAudioFormatDescription?
  private var clock: SampleClock?
  private var nextFrame: UInt64 = 0

  init(frequency: Int, format: AudioFormat) {
    (self.frequency, self.format, description) = (frequency, format, format.description)
  }

  @MainActor
  mutating func packet(of count: Int, at time: CMTime) -> CMSampleBuffer? {
    let start = MonotonicTime(nanoseconds: UInt64(clamping: time.value))
    let clock = self.clock ?? SampleClock(start: start, sampleRate: format.sampleRate)
    self.clock = clock
    // The times in a trace are rounded and may drift, so only a gap of more than 10 ms moves the tone.
    let gap = start.nanoseconds.distance(to: clock.time(ofFrame: nextFrame).nanoseconds).magnitude
    if gap > 10_000_000 { nextFrame = clock.firstFrame(notBefore: start) }
    defer { nextFrame += UInt64(count) }
    let samples = EmulatedAudio.tone(frequency)(nextFrame, count, format.channelCount, clock)
    return format.packet(of: samples, frames: count, at: time, description: description)
  }
}

extension BroadcastSystem {
  /// Makes the due calls of the trace, and schedules the next step.
  func stepTrace() {
    guard phase == .live, let replay else { return }
    guard !pauseReasons.contains(.replaydCrash) else { return nextStep = nil }
    let now = time.clock.now
    if hasReachedDuration(at: now) { return }
    let elapsed = now - launchTime
    noteDelays(at: now)
    if replay.startEnd == 0 {
      replay.startEnd =
        replay.trace.lines.firstIndex { replay.offset(of: $0) > elapsed } ?? replay.trace.lines.count
    }
    while phase == .live, let line = replay.nextLine {
      let wait = replay.offset(of: line) - elapsed
      guard wait <= .zero else { return waitForTrace(wait) }
      let mayWait =
        catchUp.isActive(at: now) || (replay.next >= replay.startEnd && delivery.isWaitingForThread)
      guard !mayWait || hasRoom(for: line.call) else { return waitForTrace(.milliseconds(1)) }
      replay.next += 1
      make(line.call, of: replay)
    }
    if phase == .live, !(replay.trace.lines.last?.call.isEnd ?? false) { end(.endOfContent) }
  }

  private func waitForTrace(_ duration: Duration) {
    nextStep = time.clock.now + duration
    frameTimer.startOnMain(every: duration) { [weak self] in self?.stepTrace() }
  }

  private func hasRoom(for call: TraceLine.Call) -> Bool {
    switch call {
    case .video: !delivery.isFull(.video)
    case .audio: !delivery.isFull(.audio)
    default: true
    }
  }

  private func make(_ call: TraceLine.Call, of replay: TraceReplay) {
    switch call {
    case .broadcastStarted: break
    case .broadcastPaused: deliverPause()
    case .broadcastResumed: deliverResume()
    case .broadcastAnnotated(let application): annotate(application)
    case .broadcastFinished: end(.bySystem)
    case .finishBroadcastGracefully:
      delivery.callConcurrently("finishBroadcast") { finishBroadcastGracefully($0) }
    case .finishBroadcastWithError(let error):
      let error = NSError(code: error.code, in: error.domain, text: error.description)
      delivery.callConcurrently("finishBroadcast") { $0.finishBroadcastWithError(error) }
    case .video(let shape, let presentation):
      do throws(ScreenContentError) {
        if shape != replay.videoShape {
          _ = try screen.reshape(
            to: shape.size, pixelFormat: shape.format,
            rows: .exact(luma: shape.lumaBytesPerRow, chroma: shape.chromaBytesPerRow))
          screen.orientation = shape.orientation
          replay.videoShape = shape
        }
      } catch {
        return end(.contentFailed(error))
      }
      takeFrame(at: time.clock.now, presentation: instant(presentation, of: replay))
    case .audio(let type, let shape, let presentation):
      guard let packet = replay.packet(type, shape, at: instant(presentation, of: replay)) else { return }
      _ = delivery.offer(packet, type)
    }
  }

  /// Converts a presentation time of the trace into a time of this broadcast, relative to the start of each.
  private func instant(_ presentation: Int64, of replay: TraceReplay) -> CMTime {
    CMTime(
      value: Int64(clamping: launchTime.nanoseconds) + presentation - replay.trace.lines[0].arrival,
      timescale: 1_000_000_000)
  }
}
