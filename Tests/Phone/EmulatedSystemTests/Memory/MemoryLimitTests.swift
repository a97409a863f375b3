import Causes
import PhoneLink
import TestSupport

@testable import EmulatedSystem

@Suite struct MemoryLimitTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  /// Memory of the system does not count.
  @Test(arguments: [(1 << 50, 0), (1, 1 << 50)] as [(UInt64, UInt64)])
  func belowTheLimitThereIsNoRecord(bytes: UInt64, ofSystem: UInt64) throws {
    let memory = ofSystem == 0 ? ExtensionMemory() : ExtensionMemory { SystemMemory(other: ofSystem) }
    let limit = MemoryLimit(bytes: bytes, memory: memory, folder: "/nonexistent")
    for _ in 0..<30 { #expect(limit.check() == nil) }
  }

  @Test func aboveTheLimitTheCategoriesAddUpToTheFootprint() throws {
    let limit = MemoryLimit(bytes: 1, memory: ExtensionMemory(), folder: "/nonexistent")
    limit.setSession(255)
    let kill = try #require(limit.check())
    #expect((kill.pid, kill.session, kill.limitBytes) == (getpid(), "ff", 1))
    #expect(kill.peakFootprintBytes >= kill.footprintBytes)
    let parts = kill.pixelBufferBytes + kill.heapBytes + kill.stackBytes + kill.otherBytes
    #expect(parts == kill.footprintBytes)
    // The record survives the round trip through JSON.
    let fact = try #require(Fact(kill, at: .zero, pid: kill.pid).json)
    #expect(Fact(json: fact)?.body as? MemoryKill == kill)
  }

  @Test func pixelBuffersAreACategory() throws {
    let limit = MemoryLimit(bytes: 1, memory: ExtensionMemory(), folder: "/nonexistent")
    let buffer = try makeBuffer(4096, 4096)
    let kill = try #require(limit.check())
    #expect(kill.pixelBufferBytes >= 24 << 20)
    withExtendedLifetime(buffer) {}
  }

  /// The number of threads that allocate at the same time depends on the host load.
  @Test func picturesThatWereFreedDoNotCountOnAnyThread() async {
    await #expect(processExitsWith: .success) {
      let limit = MemoryLimit(bytes: 1 << 50, memory: ExtensionMemory(), folder: "/nonexistent")
      try limit.start(on: WatchdogThread(clock: SystemClock()))
      let before = try ProcessMemory.measure().anonymous
      let (freed, end) = (DispatchGroup(), DispatchSemaphore(value: 0))
      for _ in 0..<8 {
        freed.enter()
        Thread.detachNewThread {
          for _ in 0..<4 {
            // UNSAFE: the memory is freed after its use.
            let picture = UnsafeMutableRawPointer.allocate(byteCount: 4 << 20, alignment: 16)
            unsafe memset(picture, 1, 4 << 20)
            unsafe picture.deallocate()
          }
          freed.leave()
          end.wait()
        }
      }
      freed.wait()
      let after = try ProcessMemory.measure().anonymous
      for _ in 0..<8 { end.signal() }
      #expect(after < before + (8 << 20), "\(before) \(after)")
    }
  }

  @MainActor @Test func framesThatAClipReadsAheadBelongToTheSystem() async throws {
    let path = folder.appendingPathComponent("clip.y4m").path
    try clip(frames: 9, width: 320, height: 240).write(to: URL(fileURLWithPath: path))
    let clip = try Clip(path: path, loops: false, pixelFormat: fullRange)
    let frame = UInt64(320 * 240 * 3 / 2)
    let content = ScreenContent.clip(clip)
    #expect(await eventually { content.systemMemory().pixelBuffers >= 3 * frame })
    #expect(content.systemMemory().other >= frame)
    #expect(ScriptedContent().content.systemMemory() == SystemMemory())
  }

  private func mapping(
    _ start: UInt64, _ byteCount: UInt64, _ name: String, resident: UInt64, anonymous: UInt64,
    isAccessible: Bool = true
  ) -> MemoryMapping {
    MemoryMapping(
      range: start..<(start + byteCount), isAccessible: isAccessible, name: name, resident: resident,
      anonymous: anonymous)
  }

  @Test func mappingsAreSortedIntoHeapStacksAndFiles() {
    let breakdown = MemoryBreakdown(
      [
        mapping(0x1000, 0x1000, "/bin/producer", resident: 7, anonymous: 2),
        mapping(0x10000, 0x1000, "[heap]", resident: 10, anonymous: 10),
        // A guard page with its stack, then an inaccessible gap with an arena, and a large block.
        mapping(0x20000, 0x1000, "", resident: 0, anonymous: 0, isAccessible: false),
        mapping(0x21000, 0x1000, "", resident: 20, anonymous: 20),
        mapping(0x100_0000, 0x10_0000, "", resident: 0, anonymous: 0, isAccessible: false),
        mapping(0x110_0000, 0x1000, "", resident: 40, anonymous: 40),
        mapping(0x200_0000, 0x1000, "", resident: 80, anonymous: 80),
        mapping(0x300_0000, 0x1000, "/c/frames.ring", resident: 100, anonymous: 0),
        mapping(0x301_0000, 0x1000, "/c/frames.ring (deleted)", resident: 50, anonymous: 0),
        mapping(0x400_0000, 0x1000, "/dev/zero (deleted)", resident: 200, anonymous: 0),
        mapping(0x500_0000, 0x1000, "[stack]", resident: 5, anonymous: 5),
      ], folder: "/c")
    #expect(
      [breakdown.heap, breakdown.stacks, breakdown.sharedWithoutFile, breakdown.otherFiles] == [
        130, 25, 200, 5,
      ])
    #expect(breakdown.sharedFiles == ["frames.ring": 150])
  }
}
