import ScreenBroadcast
import SharedMemory
import TestSupport

@testable import endurance

/// Tests that the moment of a kill is recognized by the files that it leaves behind.
@Suite struct MomentTests {
  private let folder = TemporaryFolder.ofSuite()
  private let container: AppGroupContainer

  init() throws {
    container = try AppGroupContainer(root: folder.path, group: "group.a.b")
    try container.prepare()
  }

  private func moments() throws -> Set<Moment> {
    try Moment.left(in: container, handler: ProcessInfo.processInfo.processIdentifier)
  }

  @Test func aNewContainerShowsNoMoment() throws { #expect(try moments().isEmpty) }

  @Test func aFrameInWritingIsDetected() throws {
    let ring = try FrameRingWriter(path: container.framesFile, slotCount: 3, payloadCapacity: 100)
    #expect(try moments().isEmpty)
    var seen: Result<Set<Moment>, any Error>?
    try ring.publish(byteCount: 8, captureTime: 1, orientation: 1) { _ in seen = Result { try moments() } }
    #expect(try seen?.get() == [.publish])
    #expect(try moments().isEmpty)
  }

  @Test func temporaryFilesAreDetected() throws {
    try PlainFile.replace(container.framesFile + ".new", with: [1])
    try PlainFile.replace(container.preferencesFile + ".new", with: [1])
    #expect(try moments() == [.ringCreation, .keyWrite])
    #expect(try Moment.left(in: container, handler: nil) == [.keyWrite])
  }

  @Test(arguments: Moment.allCases) func aLongRunReportsAMomentThatNoKillHit(_ moment: Moment) {
    var hits = Dictionary(uniqueKeysWithValues: Moment.allCases.map { ($0, 1) })
    #expect(Moment.failures(hits: hits, rounds: Moment.roundsThatHitAll) == [])
    hits[moment] = nil
    let failures = Moment.failures(hits: hits, rounds: Moment.roundsThatHitAll)
    #expect(failures.count == 1 && failures[0].contains(moment.rawValue))
    #expect(Moment.failures(hits: hits, rounds: 40) == [])
  }
}
