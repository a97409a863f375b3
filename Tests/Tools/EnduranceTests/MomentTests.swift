import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

@testable import endurance

/// The state that a kill leaves, created by the classes under test.
@Suite struct LeftoverStateTests {
  private let folder: TemporaryFolder
  private let container: AppGroupContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(root: folder.path, group: "group.a.b")
    try container.prepare()
  }

  private func state(leaser: Bool = false) throws -> LeftoverState {
    try LeftoverState(in: container, handler: ProcessInfo.processInfo.processIdentifier, leaser: leaser)
  }

  @Test func aNewContainerHasNoState() throws {
    #expect(try state().isEmpty)
  }

  @Test func aFrameInWritingIsDetected() throws {
    let ring = try FrameRingWriter(path: container.framesFile, slotCount: 3, payloadCapacity: 100)
    #expect(try state().isEmpty)
    var seen: LeftoverState = []
    try ring.publish(byteCount: 8, captureTime: 1, orientation: 1) { _ throws(any Error) in
      seen = try state()
    }
    #expect(seen == .publish)
    #expect(try state().isEmpty)
  }

  @Test func aHeldFrameIsDetected() throws {
    let ring = try FrameRingWriter(path: container.framesFile, slotCount: 3, payloadCapacity: 100)
    let reader = try FrameRingReader(path: container.framesFile, registers: true)
    for _ in 0..<2 { try ring.publish(byteCount: 8, captureTime: 1, orientation: 1) { _ in } }
    let lease = try #require(try reader.lease())
    #expect(try state(leaser: true) == .lease)
    #expect(lease.end())
    #expect(try state(leaser: true).isEmpty)
  }

  @Test func temporaryFilesAreDetected() throws {
    try PlainFile.replace(container.framesFile + ".new", with: [1])
    try PlainFile.replace(container.preferencesFile + ".new", with: [1])
    #expect(try state() == [.ringCreation, .keyWrite])
    #expect(try LeftoverState(in: container, handler: nil, leaser: false) == .keyWrite)
  }
}
