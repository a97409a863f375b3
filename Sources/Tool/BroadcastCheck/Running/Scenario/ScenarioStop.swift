import Causes
import CommandLineSupport
import LaunchedPrograms

/// The reason why a scenario stops before its end.
enum ScenarioStop: Error {
  /// The scenario is not judged. The text continues a sentence after a colon.
  case notJudged(String)
  /// A call of the handler is known to be blocked, so no result can follow.
  case hung(CallEvent)
  /// The check itself failed.
  case failure(ProgramFailure)
}

extension SeededGenerator {
  /// Returns a random time between two bounds.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let width = range.upperBound - range.lowerBound
    return range.lowerBound + width * (Double(next() >> 11) / Double(1 << 53))
  }
}
