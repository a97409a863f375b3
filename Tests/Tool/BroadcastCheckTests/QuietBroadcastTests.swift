import Causes
import CommandLineSupport
import Platform
import Synchronization
import Testing

@testable import BroadcastCheck

@Suite struct QuietBroadcastTests {
  /// The ends of two quiet broadcasts, and what they say of an end after two seconds.
  static let ends: [(QuietBroadcast.End?, QuietBroadcast.End?, QuietBroadcast.Comparison)] = [
    (end(), end(after: 2.3), .same), (end(), end(after: 3, frames: 60), .same),
    // A late machine, an error of another kind, and a broadcast that lasts.
    (end(), end(after: 3), .unclear), (end(), end("ended Team 2"), .other), (end(), nil, .other),
    (nil, nil, .other),
  ]

  private static func end(
    _ cause: String = "ended Team 1", after seconds: Double = 2, frames: Int? = nil
  ) -> QuietBroadcast.End {
    QuietBroadcast.End(cause: cause, time: .seconds(seconds), frames: frames ?? Int(seconds * 30))
  }

  @Test(arguments: 0..<6) func anEndThatTwoQuietBroadcastsHaveIsThatOfAMissingApp(_ index: Int) throws {
    let (first, second, comparison) = Self.ends[index]
    let runs = Mutex(0)
    let quiet = QuietBroadcast { time throws(ProgramFailure) in
      #expect(time == .seconds(5))
      return runs.withLock { count in
        count += 1
        return count % 2 == 1 ? first : second
      }
    }
    let cause = Cause(.ended, "Team 1", from: .zero, "It ended.")
    for _ in 0..<5 { #expect(try quiet.compare(cause, after: .seconds(2)) == comparison) }
    // The later questions run no broadcast, but after ends at times that differ: twice.
    #expect(runs.withLock(\.self) == (first == nil ? 1 : comparison == .unclear ? 6 : 2))
  }
}
