import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

@testable import endurance

/// What a death leaves behind, made by the real classes.
@Suite struct RemainsTests {
  private let folder: TemporaryFolder
  private let container: AppGroupContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(root: folder.path, group: "group.a.b")
    try container.prepare()
  }

  private func remains(leaser: Bool = false) throws -> Remains {
    try Remains(in: container, handler: ProcessInfo.processInfo.processIdentifier, leaser: leaser)
  }

  @Test func anUntouchedContainerHasNone() throws {
    #expect(try remains().isEmpty)
  }

  @Test func aFrameThatIsBeingWrittenShows() throws {
    let ring = try FrameRingWriter(path: container.framesFile, slotCount: 3, payloadCapacity: 100)
    #expect(try remains().isEmpty)
    var seen: Remains = []
    try ring.publish(byteCount: 8, captureTime: 1, orientation: 1) { _ throws(any Error) in
      seen = try remains()
    }
    #expect(seen == .publish)
    #expect(try remains().isEmpty)
  }

  @Test func aFrameThatIsHeldShows() throws {
    let ring = try FrameRingWriter(path: container.framesFile, slotCount: 3, payloadCapacity: 100)
    let reader = try FrameRingReader(path: container.framesFile, registers: true)
    for _ in 0..<2 { try ring.publish(byteCount: 8, captureTime: 1, orientation: 1) { _ in } }
    let lease = try #require(try reader.lease())
    #expect(try remains(leaser: true) == .lease)
    #expect(lease.end())
    #expect(try remains(leaser: true).isEmpty)
  }

  @Test func filesInTheMakingShow() throws {
    try PlainFile.replace(container.framesFile + ".new", with: [1])
    try PlainFile.replace(container.preferencesFile + ".new", with: [1])
    #expect(try remains() == [.ringMaking, .keyWrite])
    #expect(try Remains(in: container, handler: nil, leaser: false) == .keyWrite)
  }
}
