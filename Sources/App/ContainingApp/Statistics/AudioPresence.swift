import Platform
import ScreenBroadcast

/// Detects that one audio stream stops while frames or the other stream continue.
///
/// It compares sample timestamps, so an overloaded host, a pause or a suspension is not mistaken for a stop.
struct AudioPresence {
  /// How long other samples have come without audio of this stream, since its last audio.
  private(set) var absence = Duration.zero
  /// The session of the latest audio; `nil` before the first audio.
  private var session: UInt64?
  /// The latest time of any sample.
  private var last = MonotonicTime.zero

  /// The absence that counts as the end of the stream. Packets of iOS 12 take half a second, and a change of the route
  /// takes one.
  static let limit = Duration.seconds(2)
  /// The longest interval between samples that counts. A longer one is a pause, or an unchanged screen.
  private static let longestStep = Duration.seconds(1)

  var hasStopped: Bool { session != nil && absence >= Self.limit }

  /// Adds audio of this stream that ends at `end`.
  mutating func hear(_ session: UInt64, end: MonotonicTime) {
    (self.session, absence, last) = (session, .zero, end)
  }

  /// Adds a sample of the video or of the other stream.
  mutating func add(_ session: UInt64, time: MonotonicTime) {
    guard session == self.session, time > last else { return }
    if time - last <= Self.longestStep { absence = absence + (time - last) }
    last = time
  }
}
