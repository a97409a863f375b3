import CommandLineSupport

/// What the app knows of one sound of the broadcast.
package struct AudioState: Equatable, Sendable {
  /// Frames told to the app.
  package var framesReceived: UInt64 = 0
  /// Places where frames are missing, because they were overwritten before the app read them.
  package var gaps: UInt64 = 0
  /// The frames that are missing there.
  package var framesLost: UInt64 = 0
  /// Packets that came to the extension and did not travel, over all sessions.
  package var packetsDropped: UInt64 = 0
  /// The peak of the last quarter to half of a second, in decibels below full scale: -96 to 0.
  package var level = AudioLevel.silence
  /// The peak of all, in decibels below full scale: -96 to 0.
  package var peak = AudioLevel.silence
  /// How far the count of frames has run away from their times at most, in milliseconds.
  package var drift = 0.0
  /// Time marks found.
  package var marks: UInt64 = 0
  /// The distance of the worst of them from the nearest whole second, in milliseconds: an offset of more than half a
  /// second looks like a smaller one.
  package var markOffset = 0.0
  /// Whole seconds of sound without a time mark, where there were marks before.
  package var marksMissing: UInt64 = 0
  /// How much longer the times are than the sound, where nothing was paused, in milliseconds: jumps of 100 ms or more.
  package var missing = 0.0
  /// The session the latest sound is of.
  package var session: UInt64 = 0
  /// When the latest sound ended, in monotonic nanoseconds.
  package var end: UInt64 = 0

  /// The most that sound may be out of step, in milliseconds: one frame of 60 a second.
  package static let tolerance = 1_000.0 / 60

  /// Nothing heard yet.
  init() {}

  /// What is wrong with it, when something is; `name` is what it is called.
  func fault(named name: String) -> String? {
    if framesLost > 0 {
      return "\(framesLost) frames of \(name) were lost in \(gaps) gap\(gaps == 1 ? "" : "s")"
    }
    if packetsDropped > 0 {
      return "\(packetsDropped) packet\(packetsDropped == 1 ? "" : "s") of \(name) did not travel"
    }
    if missing > 0 { return "\(missing.text(decimals: 1)) ms of \(name) are missing, and nothing was paused" }
    if marksMissing > 0 {
      return "\(name) had \(marksMissing) second\(marksMissing == 1 ? "" : "s") without a time mark"
    }
    if markOffset > Self.tolerance {
      return "a time mark of \(name) lies \(markOffset.text(decimals: 1)) ms from its second"
    }
    if drift > Self.tolerance { return "\(name) ran \(drift.text(decimals: 1)) ms away from its times" }
    return nil
  }
}
