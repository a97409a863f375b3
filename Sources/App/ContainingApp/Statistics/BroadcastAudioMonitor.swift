import Platform
import ScreenBroadcast

/// Polls and measures the audio streams of a broadcast.
@MainActor
final class BroadcastAudioMonitor {
  /// At most one for each stream.
  let contexts: [AudioBufferContext]
  private let verifies: Bool
  private var meters: [BroadcastAudioStream: AudioMeter] = [:]
  private var lastFrameTime = MonotonicTime.zero
  /// The first frame after a pause, until there is audio of the same time.
  private var resumption: MonotonicTime?

  /// The shortest gap in both frames and audio that is a pause.
  private static let shortestPause = Duration.milliseconds(100)

  /// - Parameter verifies: whether audio that is incomplete or out of step is a fault.
  init(_ contexts: [AudioBufferContext], verifies: Bool) {
    self.contexts = contexts
    self.verifies = verifies
  }

  func poll() {
    for context in contexts { context.poll() }
  }

  func measure(_ audio: BroadcastAudio) {
    meters[audio.stream, default: AudioMeter()].add(audio)
  }

  /// Updates the audio of `state`.
  func update(_ state: inout BroadcastState) {
    for context in contexts { meters[context.stream]?.count(context.statistics) }
    state.appAudio = meters[.app]?.state
    state.microphone = meters[.microphone]?.state
    guard verifies, state.audioFault == nil else { return }
    state.audioFault =
      state.appAudio?.fault(named: "app audio") ?? state.microphone?.fault(named: "the microphone")
  }

  /// Adds how much later than `frame` the newest audio was recorded: app audio, or the microphone without it.
  func measureOffset(of frame: BroadcastFrame, _ state: BroadcastState, _ offsets: inout DelayHistogram) {
    let (time, last) = (frame.captureTime, lastFrameTime)
    lastFrameTime = time
    guard time > .zero, let audio = state.appAudio ?? state.microphone, audio.session == frame.id.session
    else { return }
    // After a gap in both, the newest audio is still that from before the pause.
    if time - last >= Self.shortestPause, time - audio.end >= Self.shortestPause { resumption = time }
    if let resumption, audio.end < resumption { return }
    resumption = nil
    offsets.add(audio.end - time)
  }
}
