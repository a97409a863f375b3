import Causes
import CommandLineSupport
import Platform
import Synchronization

/// The control of a failure without an app: a broadcast in which nothing happens.
///
/// A handler that ends this one too, with the same error, does so because its app is not there.
final class QuietBroadcast: Sendable {
  private struct State {
    /// How long the longest broadcast lasted that the handler did not end.
    var lasted = Duration.zero
    /// The fingerprint of the end.
    var end: String?
  }

  /// Held during a broadcast, so that there is one for all scenarios.
  private let state = Mutex(State())
  /// Runs a broadcast for a time, and returns what went wrong in it.
  private let run: @Sendable (Duration) throws(ProgramFailure) -> Cause?

  init(run: @escaping @Sendable (Duration) throws(ProgramFailure) -> Cause?) { self.run = run }

  /// The time that a handler may take longer beside other scenarios.
  private static let margin = Duration.seconds(3)

  /// Whether the handler ends a quiet broadcast too as it ended that of a scenario after `time`.
  func hasEnd(_ cause: Cause, after time: Duration) throws(ProgramFailure) -> Bool {
    // It refused the first start already.
    if time == .zero { return true }
    return try state.withLock { state throws(ProgramFailure) in
      let wanted = time + Self.margin
      if state.end == nil, state.lasted < wanted {
        state.end = try run(wanted)?.fingerprint
        state.lasted = wanted
      }
      return state.end == cause.fingerprint
    }
  }
}
