import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import Platform
import ScreenBroadcast

/// What a watch reports; each view has its own form of it.
package enum WatchMessage: Equatable, Sendable {
  /// A sentence for people.
  case notice(String)
  /// A sentence about something wrong.
  case problem(String)
  /// The flag has this value since `time`.
  case status(isActive: Bool, time: MonotonicTime)
  /// Frames have this format from now on.
  case format(FrameFormat)
  /// A stream of audio has this format from now on, stopped, or is back.
  case audio(AudioChange)
  /// The present rates, once a second or more often.
  case stats(WatchStats)
  /// The process of the extension died; its memory record, if it was killed for that.
  case crashed(pid: Int32, kill: MemoryKill? = nil)
  /// The process of the extension is stopped.
  case suspended(pid: Int32)
  /// The process of the extension runs again.
  case resumed(pid: Int32)
  /// This process did not run for this time: it was stopped, or the machine was busy.
  case appSuspended(Duration)
  /// What went wrong, or explains what is seen; again when it has grown or ended. `again` is what a terminal runs to see it again.
  case cause(Cause, isNew: Bool, again: String? = nil)
  /// The phone began a broadcast.
  case begun(BegunEvent)
  /// A broadcast has ended, in order or not.
  case ended(ObservedEndEvent)
  /// A command to the phone or the app.
  case control(ControlEvent)
  /// What the phone did with this app.
  case app(DeviceState.AppEvent)
  /// A change of a capture within the app.
  case capture(CaptureChange)
  /// A page shows the watch at this address.
  case serving(address: String)
  /// The result, last of all.
  case summary(AppSummary)
}

/// A change of a stream of audio.
package struct AudioChange: Equatable, Sendable {
  /// The kind; the raw value is its name in JSON.
  package enum Kind: String, Sendable {
    /// It has another format, or is new.
    case format
    /// It stayed away for two seconds while other samples came.
    case stopped
    /// It came again after that.
    case back
  }

  package var stream: BroadcastAudioStream
  package var kind: Kind
  /// The format of the newest audio.
  package var sampleRate: Double
  package var channelCount: Int

  /// The changes of a stream between two states.
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
