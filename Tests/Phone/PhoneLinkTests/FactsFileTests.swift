import Causes
import Foundation
import Platform
import ScreenBroadcast
import TestSupport
import Testing

@testable import PhoneLink

@Suite struct FactsFileTests {
  @Test func aFollowerGetsEachFactOnceAndThoseOfTheNextBroadcast() throws {
    let folder = try TemporaryFolder()
    let container = try AppGroupContainer(root: folder("c"), group: "group.com.example")
    try container.prepare()
    var follower = FactsFile.Follower(in: container)
    #expect(follower.next().isEmpty)
    func times(_ follower: inout FactsFile.Follower) -> [UInt64] { follower.next().map(\.time.nanoseconds) }
    let file = try FactsFile(in: container)
    for time in 1...3 {
      file.append(Fact(PausedEvent(), at: MonotonicTime(nanoseconds: UInt64(time)), pid: 1))
    }
    #expect(times(&follower) == [1, 2, 3])
    file.append(Fact(ResumedEvent(), at: MonotonicTime(nanoseconds: 4), pid: 1))
    #expect(times(&follower) == [4] && follower.next().isEmpty)
    try FactsFile(in: container).append(Fact(PausedEvent(), at: MonotonicTime(nanoseconds: 5), pid: 2))
    #expect(times(&follower) == [5])
  }
}
