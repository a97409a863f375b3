import CommandLineSupport
import MemoryKillRecord

/// What the app shows: each view has its own way to say it.
package enum WatchOutput: Equatable, Sendable {
  /// A sentence for people.
  case notice(String)
  /// Something is wrong; one sentence.
  case problem(String)
  /// The flag has, from `time` on (monotonic nanoseconds), this value.
  case status(isActive: Bool, time: UInt64)
  /// Frames have this shape from now on.
  case format(FrameFormat)
  /// How it goes, a few times a second.
  case stats(WatchStats)
  /// The extension's process died; what it was killed for, where that is known.
  case crashed(pid: Int32, kill: MemoryKill? = nil)
  /// The extension's process is stopped.
  case suspended(pid: Int32)
  /// The extension's process, which was stopped, goes on.
  case resumed(pid: Int32)
  /// This process did not run for so many seconds: it was stopped, or the machine had no time for it.
  case appSuspended(seconds: Double)
  /// Something happened to a capture within the app.
  case capture(CaptureChange)
  /// What it all came to.
  case summary(WatchSummary)
}
