import Platform
import RunReports
import ScreenBroadcast

/// Polls and measures the audio streams of a broadcast.
@MainActor
final class BroadcastAudioMonitor {
  /// The contexts of the streams, at most one for each stream.
  let contexts: [AudioBufferContext]
  private let verifies: Bool
  private let clock: any MonotonicClock
  private var meters: [BroadcastAudioStream: AudioMeter] = [:]
  private var presences: [BroadcastAudioStream: AudioPresence] = [
    .app: AudioPresence(), .microphone: AudioPresence(),
  ]
  private var arrivals: [BroadcastAudioStream: MonotonicTime] = [:]
  private var lastFrameTime = MonotonicTime.zero
  /// The time of the first frame after a pause; `nil` once audio of that time has arrived.
  private var resumption: MonotonicTime?

  /// The shortest gap in both frames and audio that counts as a pause.
  private static let shortestPause = Duration.milliseconds(100)
  /// The time without a packet after which the level is silence.
  private static let levelTime = Duration.seconds(1)

  /// - Parameter verifies: whether incomplete or unsynchronized audio is a fault.
  init(_ contexts: [AudioBufferContext], verifies: Bool, clock: any MonotonicClock) {
    self.contexts = contexts
    self.verifies = verifies
    self.clock = clock
  }

  func poll() {
    for context in contexts { context.poll() }
  }

  func measure(_ audio: BroadcastAudio) {
    // Count first, so that a gap before the first sound is counted as a loss in silence, even in the same poll.
    count()
    meters[audio.stream, default: AudioMeter()].add(audio)
    arrivals[audio.stream] = clock.now
    guard let end = meters[audio.stream]?.state.end else { return }
    for stream in presences.keys {
      if stream == audio.stream {
        presences[stream]?.hear(audio.session, end: end)
      } else {
        presences[stream]?.add(audio.session, time: end)
      }
    }
  }

  private func count() {
    // If no packet of a stream could be published, the stream has only counts.
    for context in contexts where meters[context.stream] != nil || context.statistics.packetsDropped > 0 {
      meters[context.stream, default: AudioMeter()].count(context.statistics)
    }
  }

  /// Updates the audio statistics of `state`.
  func update(_ state: inout BroadcastState) {
    count()
    for stream in BroadcastAudioStream.allCases {
      guard let presence = presences[stream] else { continue }
      meters[stream]?.setAbsence(presence.hasStopped ? presence.absence : .zero)
    }
    state.appAudio = present(.app)
    state.microphone = present(.microphone)
    guard verifies else { return }
    // Replace the fault by the newest one, because its counts have grown.
    state.audioFault =
      state.appAudio?.fault(named: "app audio") ?? state.microphone?.fault(named: "the microphone")
      ?? state.audioFault
  }

  /// Returns the current state of a stream. If no packets arrive, its level is silence.
  private func present(_ stream: BroadcastAudioStream) -> AudioState? {
    var state = meters[stream]?.state
    if let arrival = arrivals[stream], clock.now - arrival > Self.levelTime {
      state?.level = AudioLevel.silence
    }
    return state
  }

  /// Adds the time from the capture of `frame` to the end of the newest audio (app audio, or the microphone if there is no app
  /// audio).
  func measureOffset(of frame: BroadcastFrame, _ state: BroadcastState, _ offsets: inout DelayHistogram) {
    let (time, last) = (frame.captureTime, lastFrameTime)
    lastFrameTime = time
    guard time > .zero else { return }
    for stream in presences.keys { presences[stream]?.add(frame.id.session, time: time) }
    let audio = [state.appAudio, state.microphone].compactMap { $0 }.first {
      $0.session == frame.id.session && $0.absentSeconds == 0
    }
    guard let audio else { return }
    // After a gap in both, the newest audio is still from before the pause.
    if time - last >= Self.shortestPause, time - audio.end >= Self.shortestPause { resumption = time }
    if let resumption, audio.end < resumption { return }
    resumption = nil
    offsets.add(audio.end - time)
  }
}
