import CommandLineSupport
import MemoryKillRecord
import Platform

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
  /// What the phone did with this app.
  case app(AppLife.Change)
  /// A change of a capture within the app.
  case capture(CaptureChange)
  /// A page shows the watch at this address.
  case serving(address: String)
  /// The result, last of all.
  case summary(WatchSummary)
}
