import Causes
import CommandLineSupport
import Platform
import Synchronization

/// The control of a failure without an app: a broadcast in which nothing happens.
///
/// A handler whose app is not there ends it too, with the same error, and in a second one at the same time or frame. The end of
/// a handler that suffers from a late machine comes at any time.
final class QuietBroadcast: Sendable {
  /// How a handler ended a broadcast: the fingerprint of the cause, the time from the start, and the frames until then.
  struct End {
    var cause: String
    var time: Duration
    var frames: Int
  }

  private struct State {
    /// How long the longest broadcast lasted that was judged.
    var lasted = Duration.zero
    /// The fingerprint of the end that two of them have.
    var end: String?
    /// The fingerprints of ends that two of them have at different times.
    var differing: [String] = []
  }

  /// Held during a broadcast, so that there is one for all scenarios.
  private let state = Mutex(State())
  /// Runs a broadcast for a time, and returns its end by the handler.
  private let run: @Sendable (Duration) throws(ProgramFailure) -> End?

  init(run: @escaping @Sendable (Duration) throws(ProgramFailure) -> End?) { self.run = run }

  /// The time that a handler may take longer beside other scenarios.
  private static let margin = Duration.seconds(3)
  /// How often ends at different times are asked for again.
  private static let limit = 3
  /// The most between two ends at the same time.
  private static let sameTime = Duration.milliseconds(500)

  /// How an end in a scenario compares with the ends of quiet broadcasts.
  enum Comparison {
    case same, other
    /// The handler ends quiet broadcasts too, but at times that differ: the machine may be why.
    case unclear
  }

  /// Compares the end of a scenario after `time` with those of quiet broadcasts.
  func compare(_ cause: Cause, after time: Duration) throws(ProgramFailure) -> Comparison {
    // It refused the first start already.
    if time == .zero { return .same }
    return try state.withLock { state throws(ProgramFailure) in
      let wanted = time + Self.margin
      if state.end == nil, state.lasted < wanted {
        if let first = try run(wanted), let second = try run(wanted), first.cause == second.cause {
          let difference = max(first.time, second.time) - min(first.time, second.time)
          if difference <= Self.sameTime || first.frames == second.frames {
            state.end = first.cause
          } else {
            state.differing.append(first.cause)
          }
        }
        // The next scenario asks again.
        if !(1..<Self.limit).contains(state.differing.count) { state.lasted = wanted }
      }
      if state.end == cause.fingerprint { return .same }
      return state.differing.contains(cause.fingerprint) ? .unclear : .other
    }
  }
}
