import SharedMemory
import TestSupport

@testable import ScreenBroadcast

/// Tests that no audio in the ring is lost when a read fails.
@Suite struct BroadcastAudioReaderTests {
  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let reader: BroadcastAudioReader

  init() { reader = BroadcastAudioReader(container: home.container, stream: .app) }

  @Test func audioBeforeAnUnreadableFileIsReported() throws {
    let path = container.audioFile(for: .app)
    let lock = try ProcessLock(path: container.producerLockFile)
    let ring = try container.makeAudioRing()
    try TestAudio.app.publish(0..<100, to: ring)
    #expect(try reader.newRuns()?.map(\.frames) == [0..<100])
    reader.sessions.betweenChecks = {
      do {
        try TestAudio.app.publish(100..<200, to: ring)
        try PlainFile.replace(path, with: Array(repeating: 1, count: 5000))
      } catch { Issue.record(error) }
    }
    #expect(try reader.newRuns()?.map(\.frames) == [100..<200])
    reader.sessions.betweenChecks = {}
    #expect(throws: FileError(.notARing("an audio ring"), path)) { try reader.newRuns() }
    #expect(reader.statistics.gaps == 0)
    try lock.release()
  }

  @Test func droppedPacketsAreCountedOverAllSessions() throws {
    for (session, dropped) in [(1, 2), (2, 0), (3, 5)] as [(UInt64, UInt64)] {
      let ring = try container.makeAudioRing(session: session)
      try TestAudio.app.publish(0..<100, to: ring)
      if dropped > 0 { ring.countDrop(dropped) }
      for _ in 0..<2 { _ = try reader.newRuns() }
      try ring.finish()
    }
    #expect(reader.statistics.packetsDropped == 7)
  }

  @Test func audioWhoseLockCannotBeReadIsReadAgain() throws {
    let ring = try container.makeAudioRing()
    try TestAudio.app.publish(0..<100, to: ring)
    #expect(try reader.newRuns()?.map(\.frames) == [0..<100])
    try TestAudio.app.publish(100..<200, to: ring)
    try makeFile(of: S_IFDIR, at: container.producerLockFile)
    #expect(throws: FileError.self) { try reader.newRuns() }
    try FileManager.default.removeItem(atPath: container.producerLockFile)
    #expect(try (reader.newRuns()?.map(\.frames), reader.statistics.gaps) == ([100..<200], 0))
  }
}
