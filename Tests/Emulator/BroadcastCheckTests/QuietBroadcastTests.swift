import Causes
import CommandLineSupport
import Platform
import Synchronization
import Testing

@testable import BroadcastCheck

@Suite struct QuietBroadcastTests {
  /// The ends of two quiet broadcasts, and whether they show that the handler needs its app.
  static let ends: [(first: QuietBroadcast.End?, second: QuietBroadcast.End?, needsApp: Bool)] = [
    (("ended Team 1", .seconds(2)), ("ended Team 1", .seconds(2.3)), true),
    // A late machine, an error of another kind, and a broadcast that lasts.
    (("ended Team 1", .seconds(2)), ("ended Team 1", .seconds(3)), false),
    (("ended Team 1", .seconds(2)), ("ended Team 2", .seconds(2)), false),
    (("ended Team 1", .seconds(2)), nil, false), (nil, nil, false),
  ]

  @Test(arguments: 0..<5) func anEndThatTwoQuietBroadcastsHaveIsThatOfAMissingApp(_ index: Int) throws {
    let (first, second, needsApp) = Self.ends[index]
    let runs = Mutex(0)
    let quiet = QuietBroadcast { time throws(ProgramFailure) in
      #expect(time == .seconds(5))
      return runs.withLock { count in
        count += 1
        return count == 1 ? first : second
      }
    }
    let cause = Cause(.ended, "Team 1", from: .zero, "It ended.")
    // Asked twice, it runs once.
    for _ in 0..<2 { #expect(try quiet.hasEnd(cause, after: .seconds(2)) == needsApp) }
    #expect(runs.withLock(\.self) <= 2)
  }
}
