import CommandLineSupport
import LaunchedPrograms

/// Why the processes of a scenario cannot perform a step.
enum ScenarioStop: Error {
  /// Why, to follow a colon.
  case notJudged(String)
  /// A failure of the check itself.
  case failure(ProgramFailure)
}

extension SeededGenerator {
  /// A time between two bounds.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let width = range.upperBound - range.lowerBound
    return range.lowerBound + width * (Double(next() >> 11) / Double(1 << 53))
  }
}
