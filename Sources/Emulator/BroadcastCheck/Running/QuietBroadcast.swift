import CommandLineSupport
import Platform
import Synchronization

/// The control of a failure: a broadcast in which nothing happens.
///
/// A handler that ends this one too ends it by itself: the scenarios say nothing about it. One verdict says so for all of them.
final class QuietBroadcast: Sendable {
  /// An end of a broadcast by its handler, with an error or by a crash.
  struct End: Equatable, Sendable {
    /// The error or the crash, as verdicts have it.
    var how: String
    /// The time from the start of the broadcast.
    var time: Duration
  }

  private struct State {
    /// How long the longest broadcast lasted that the handler did not end.
    var lasted = Duration.zero
    var end: End?
    /// The scenario whose verdict says that the handler ends the broadcast by itself.
    var reporter: String?
  }

  /// Held during a broadcast, so that there is one for all scenarios.
  private let state = Mutex(State())
  /// Runs a broadcast for a time, and returns how the handler ended it.
  private let run: @Sendable (Duration) throws(ProgramFailure) -> End?

  init(run: @escaping @Sendable (Duration) throws(ProgramFailure) -> End?) { self.run = run }

  /// The time that a handler may take longer beside other scenarios, and the runtime to report a crash.
  private static let margin = Duration.seconds(3)

  /// What a scenario's failure becomes; `nil` if it remains, because the handler does not end the quiet broadcast.
  ///
  /// - Parameter end: how the handler ended the scenario's broadcast.
  func verdict(
    on scenario: String, after end: End, withoutApp: Bool
  ) throws(ProgramFailure) -> ScenarioVerdict.Result? {
    try state.withLock { state throws(ProgramFailure) in
      let wanted = end.time + Self.margin
      if state.end == nil, state.lasted < wanted {
        state.end = try run(wanted)
        if state.end == nil { state.lasted = wanted }
      }
      guard let own = state.end, own.time <= wanted else { return nil }
      if let reporter = state.reporter, reporter != scenario {
        return .doesNotApply(
          "the handler ends the broadcast by itself, which is a matter of the verdict on '\(reporter)'")
      }
      state.reporter = scenario
      let wayOut =
        withoutApp ? " If it ends because its app does not run, name the program of the app with --app." : ""
      let seconds = (own.time / .seconds(1)).text(decimals: 1)
      let how = own.how + (own.how.hasSuffix(".") ? "" : ".")
      return .failed(
        "The handler ends each broadcast by itself, here after \(seconds) s in which nothing happened: "
          + how + wayOut)
    }
  }
}
