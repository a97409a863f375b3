import Platform
import ScreenBroadcast

/// Whether a stream of audio comes, while frames or the other stream of its broadcast do.
///
/// It goes by the times of the samples, so that a busy machine is no absence; nor are a pause and a suspension, in which nothing
/// has a time.
struct AudioPresence {
  /// How long other samples came without audio of this stream, after the first of it.
  private(set) var absence = Duration.zero
  /// The session of the newest audio; `nil` before any.
  private var session: UInt64?
  /// The newest time of any sample.
  private var last = MonotonicTime.zero

  /// The absence that is an end of the stream: packets of iOS 12 take half a second, a change of the route one.
  static let limit = Duration.seconds(2)
  /// The longest step between samples that counts: a longer one is a pause, or a screen that does not change.
  private static let longestStep = Duration.seconds(1)

  var hasStopped: Bool { session != nil && absence >= Self.limit }

  /// Adds audio of this stream, which ends at `end`.
  mutating func hear(_ session: UInt64, end: MonotonicTime) {
    (self.session, absence, last) = (session, .zero, end)
  }

  /// Adds another sample.
  mutating func add(_ session: UInt64, time: MonotonicTime) {
    guard session == self.session, time > last else { return }
    if time - last <= Self.longestStep { absence = absence + (time - last) }
    last = time
  }
}
