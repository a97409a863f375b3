import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import Platform
import ScreenBroadcast

/// A message of a watch. Each view renders it in its format.
package enum WatchMessage: Equatable, Sendable {
  /// A sentence for the user.
  case notice(String)
  /// A sentence about a problem.
  case problem(String)
  /// The poll at `time` found that the flag has this value.
  case status(isActive: Bool, time: MonotonicTime)
  /// Frames have this format from now on.
  case format(FrameFormat)
  /// An audio stream has a new format, stopped, or resumed.
  case audio(AudioChange)
  /// The current rates, once a second or more often.
  case stats(WatchStats)
  /// The process of the extension died. `kill` is its record if it was killed for its memory.
  case crashed(pid: Int32, kill: MemoryKill? = nil)
  /// The process of the extension is stopped.
  case suspended(pid: Int32)
  /// The process of the extension runs again.
  case resumed(pid: Int32)
  /// This process did not run for this time, because it was stopped or the host was overloaded.
  case appSuspended(Duration)
  /// A cause was found (`isNew`), became longer, or ended. `again` is the command that reproduces it.
  case cause(Cause, isNew: Bool, again: String? = nil)
  /// The phone began a broadcast.
  case begun(BegunEvent)
  /// A broadcast has ended, normally or by a crash.
  case ended(ObservedEndEvent)
  /// A command to the phone or the app.
  case control(ControlEvent)
  /// The phone changed the state of this app.
  case app(DeviceState.AppEvent)
  /// A capture in the app's process has changed.
  case capture(CaptureChange)
  /// A page shows the watch at this address.
  case serving(address: String)
  /// The result of the watch, as its last message.
  case summary(AppSummary)
}

/// A change of an audio stream.
package struct AudioChange: Equatable, Sendable {
  /// The kind; the raw value is its name in JSON.
  package enum Kind: String, Sendable {
    /// The stream has started, or has another format.
    case format
    /// The stream stopped: no audio for two seconds while other samples arrived.
    case stopped
    /// The stream resumed after ``stopped``.
    case back
  }

  package var stream: BroadcastAudioStream
  package var kind: Kind
  /// The format of the newest audio.
  package var sampleRate: Double
  package var channelCount: Int

  /// Returns the changes of a stream between two states.
  static func changes(of stream: BroadcastAudioStream, from old: AudioState?, to new: AudioState?)
    -> [AudioChange]
  {
    guard let new else { return [] }
    func change(_ kind: Kind) -> AudioChange {
      AudioChange(stream: stream, kind: kind, sampleRate: new.sampleRate, channelCount: new.channelCount)
    }
    var changes: [AudioChange] = []
    if let old, old.absentSeconds > 0, new.absentSeconds == 0 { changes.append(change(.back)) }
    if new.sampleRate > 0, old?.sampleRate != new.sampleRate || old?.channelCount != new.channelCount {
      changes.append(change(.format))
    }
    if new.absentSeconds > 0, (old?.absentSeconds ?? 0) == 0 { changes.append(change(.stopped)) }
    return changes
  }
}
