import Causes
import ScreenBroadcast
import TestSupport

@testable import PhoneLink

@Suite struct FactsFileTests {
  @Test func aFollowerGetsEachFactOnceAndThoseOfTheNextBroadcast() throws {
    let container = try makeContainer("c")
    var follower = FactsFile.Follower(in: container)
    #expect(follower.next().isEmpty)
    func times(_ follower: inout FactsFile.Follower) -> [UInt64] { follower.next().map(\.time.nanoseconds) }
    let file = FactsFile(in: container)
    for time in 1...3 {
      file.append(Fact(StartedEvent(fps: 60), at: MonotonicTime(nanoseconds: UInt64(time)), pid: 1))
    }
    #expect(times(&follower) == [1, 2, 3])
    file.append(Fact(ResumedEvent(), at: MonotonicTime(nanoseconds: 4), pid: 1))
    #expect(times(&follower) == [4] && follower.next().isEmpty)
    FactsFile(in: container).append(Fact(StartedEvent(fps: 60), at: MonotonicTime(nanoseconds: 5), pid: 2))
    #expect(times(&follower) == [5])
  }

  private let folder = TemporaryFolder.ofSuite()

  private func makeContainer(_ name: String) throws -> AppGroupContainer {
    let container = try AppGroupContainer(root: folder(name), group: "group.com.example")
    try container.prepare()
    return container
  }

  private func fact(_ body: any FactBody) -> Fact { Fact(body, at: .zero, pid: 1) }

  /// If two producers start together, one gets the lock, and the other reports how its start ended.
  @Test func aProducerThatIsRefusedLeavesTheFactsOfTheOneThatBroadcasts() throws {
    let container = try makeContainer("two")
    let (winner, loser) = (FactsFile(in: container), FactsFile(in: container))
    for file in [winner, loser] { file.append(fact(RequestEvent(what: "slow:1"))) }
    winner.append(fact(StartedEvent(fps: 60)))
    let lock = try ProcessLock(path: container.producerLockFile, processID: getpid() + 1)
    for body in [StartedEvent(fps: 1), BroadcastEnd(reason: "extensionError")] as [any FactBody] {
      loser.append(fact(body))
    }
    winner.append(fact(PausedEvent()))
    try lock.release()
    var follower = FactsFile.Follower(in: container)
    #expect(
      follower.next().map { "\(type(of: $0.body))" } == ["RequestEvent", "StartedEvent", "PausedEvent"])
  }

  /// A crash within `broadcastStarted` must leave what was known.
  @Test func theFactsOfALaunchAreThereAtOnceAndOnceAfterAReplacement() throws {
    let container = try makeContainer("launch")
    func names(_ follower: inout FactsFile.Follower) -> [String] {
      follower.next().map { type(of: $0.body).event }
    }
    var follower = FactsFile.Follower(in: container)
    let file = FactsFile(in: container)
    file.append(fact(LaunchFact(fps: 60)))
    file.append(fact(RequestEvent(what: "crash")))
    #expect(names(&follower) == ["launch", "happened"])
    // Another process is launched before this one has its lock.
    FactsFile(in: container).append(fact(LaunchFact(fps: 30)))
    #expect(names(&follower) == ["launch"])
    file.append(fact(StartedEvent(fps: 60)))
    #expect(names(&follower) == ["launch", "happened", "started"])
    let lock = try ProcessLock(path: container.extensionLockFile, processID: getpid() + 1)
    FactsFile(in: container).append(fact(LaunchFact(fps: 30)))
    #expect(names(&follower).isEmpty)
    try lock.release()
  }

  @Test func aKillIsFoundAtTheEndOfAFileAndAFileThatIsTooLongEnds() throws {
    let container = try makeContainer("long")
    let file = FactsFile(in: container)
    for _ in 0..<20_000 { file.append(fact(StartedEvent(fps: 60))) }
    let kill = MemoryKill(
      pid: 1, session: nil, atNs: 9, limitBytes: 1, footprintBytes: 2, peakFootprintBytes: 2)
    file.append(fact(kill))
    #expect(FactsFile.memoryKill(of: 1, in: container) == kill)
    var newest = FactsFile.Follower(in: container, isAtNewest: true)
    #expect(newest.next().count < 10_000 && newest.isAtEnd)
    try FileHandle(forWritingTo: URL(filePath: container.factsFile)).truncate(atOffset: 20 << 30)
    #expect(FactsFile.causes(of: 2, in: container).isEmpty)
  }
}
