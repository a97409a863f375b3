import Platform
import ScreenBroadcast

/// The sounds of the broadcast that are heard, and what was measured of them.
@MainActor
final class BroadcastSounds {
  private let contexts: [AudioBufferContext]
  private let verifies: Bool
  private var meters: [BroadcastAudioStream: AudioMeter] = [:]
  /// When the latest picture was taken; and, until there is sound as new, the first one behind a pause.
  private var pictureTimes: (last: UInt64, resumption: UInt64?) = (0, nil)

  /// Nothing heard yet.
  ///
  /// - Parameters:
  ///   - contexts: the sounds, at most one of a stream.
  ///   - verifies: whether a sound that is out of step or not whole is a fault.
  init(_ contexts: [AudioBufferContext], verifies: Bool) {
    self.contexts = contexts
    self.verifies = verifies
  }

  /// Has `subscriber` told of all sound from now on.
  func subscribe(_ subscriber: any AudioBufferContextSubscriber) {
    for context in contexts { context.subscribe(subscriber) }
  }

  /// Has nobody told any more.
  func unsubscribe() {
    for context in contexts { context.unsubscribe() }
  }

  /// Looks for sound now.
  func poll() {
    for context in contexts { context.poll() }
  }

  /// Measures sound that came.
  func measure(_ audio: BroadcastAudio) {
    meters[audio.stream, default: AudioMeter()].add(
      audio.samples, sampleRate: audio.sampleRate, channelCount: audio.channelCount,
      time: audio.time.nanoseconds,
      index: audio.index, session: audio.session, pauses: audio.pauses)
  }

  /// Brings up to date what `state` says of the sounds.
  func update(_ state: inout BroadcastState) {
    for context in contexts {
      meters[context.stream]?.count(context.statistics)
      guard let sound = meters[context.stream]?.state else { continue }
      switch context.stream {
      case .app: state.appAudio = sound
      case .microphone: state.microphone = sound
      }
    }
    guard verifies, state.soundFault == nil else { return }
    state.soundFault =
      state.appAudio?.fault(named: "app audio") ?? state.microphone?.fault(named: "the microphone")
  }

  /// How much later than this picture the newest sound was taken; the apps' sound, or the microphone's without it.
  func measureOffset(of frame: BroadcastFrame, _ state: BroadcastState, _ offsets: inout OffsetHistogram) {
    let (time, last) = (frame.captureTime.nanoseconds, pictureTimes.last)
    pictureTimes.last = time
    guard time > 0, let sound = state.appAudio ?? state.microphone, sound.session == frame.id.session
    else { return }
    // Where both stood still there was a pause, and the sound so far is that from before it.
    let pause: UInt64 = 100_000_000
    if time - min(last, time) >= pause, time - min(sound.end, time) >= pause {
      pictureTimes.resumption = time
    }
    if let resumption = pictureTimes.resumption, sound.end < resumption { return }
    pictureTimes.resumption = nil
    offsets.add(sound.end, after: frame.captureTime.nanoseconds)
  }
}
