import Causes
import CommandLineSupport
import Platform
import Synchronization

/// The control of a failure without an app: a broadcast in which nothing happens.
///
/// A handler whose app is not there ends it too, with the same error, and in a second one at the same time. The end of a handler
/// that suffers from a late machine comes at any time.
final class QuietBroadcast: Sendable {
  /// How a handler ended a broadcast: the fingerprint of the cause, and the time from the start.
  typealias End = (cause: String, time: Duration)

  private struct State {
    /// How long the longest broadcast lasted that was judged.
    var lasted = Duration.zero
    /// The fingerprint of the end that two of them have.
    var end: String?
  }

  /// Held during a broadcast, so that there is one for all scenarios.
  private let state = Mutex(State())
  /// Runs a broadcast for a time, and returns its end by the handler.
  private let run: @Sendable (Duration) throws(ProgramFailure) -> End?

  init(run: @escaping @Sendable (Duration) throws(ProgramFailure) -> End?) { self.run = run }

  /// The time that a handler may take longer beside other scenarios.
  private static let margin = Duration.seconds(3)
  /// The most between two ends at the same time.
  private static let sameTime = Duration.milliseconds(500)

  /// Whether the handler ends quiet broadcasts as it ended that of a scenario after `time`.
  func hasEnd(_ cause: Cause, after time: Duration) throws(ProgramFailure) -> Bool {
    // It refused the first start already.
    if time == .zero { return true }
    return try state.withLock { state throws(ProgramFailure) in
      let wanted = time + Self.margin
      if state.end == nil, state.lasted < wanted {
        state.lasted = wanted
        if let first = try run(wanted), let second = try run(wanted), first.cause == second.cause,
          max(first.time, second.time) - min(first.time, second.time) <= Self.sameTime
        {
          state.end = first.cause
        }
      }
      return state.end == cause.fingerprint
    }
  }
}
