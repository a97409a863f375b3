/// What the app shows: each view has its own way to say it.
public enum WatchOutput: Equatable, Sendable {
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
  /// The extension's process died.
  case crashed(pid: Int32)
  /// What it all came to.
  case summary(WatchSummary)
}
