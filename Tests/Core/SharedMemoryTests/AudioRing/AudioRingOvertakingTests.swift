import TestSupport

@testable import SharedMemory

/// Tests readers that the writer overtakes in the middle of a copy.
@Suite(.serialized) struct AudioRingOvertakingTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("audio-app.ring") }

  private struct Outcome {
    var right = 0
    var torn = 0
    var gaps: UInt64 = 0
    var missing: UInt64 = 0
    var jumps: UInt64 = 0
  }

  /// Reads until `isEnough`, while a writer overtakes every second copy in its middle, alternately by half of the ring and by
  /// all of it. A whole ring replaces every sample of the copy's second half on any host.
  private func readUnderLoad(checksAfterwards: Bool, until isEnough: (Outcome) -> Bool) throws -> Outcome {
    let path = path
    let load = BackgroundLoad {
      try TestAudio.stereo.writer(path)
    } write: {
      try TestAudio.stereo.publish(128, to: $0)
    } finish: {
      try $0.finish()
    }
    defer { load.stop() }
    #expect(holds { (try? AudioRingReader(path: path)) != nil })
    let watch = try AudioRingReader(path: path)
    var reads = 0
    let reader = try AudioRingReader(
      path: path, checksAfterwards: checksAfterwards,
      whileReading: {
        reads += 1
        guard reads % 2 == 0 else { return }
        let goal = watch.framesPublished + UInt64(watch.capacity) / (reads % 4 == 0 ? 1 : 2)
        _ = holds { watch.framesPublished >= goal }
      })
    var outcome = Outcome()
    var next: UInt64 = 0
    // The limit only ends a run without results. How long the copies take depends on the host's load.
    let ended = try holds(within: .seconds(60)) {
      for run in try reader.read() {
        if TestAudio.stereo.isRight(run) { outcome.right += 1 } else { outcome.torn += 1 }
        outcome.jumps += run.firstFrame - next
        next = run.frames(2).upperBound
      }
      (outcome.gaps, outcome.missing) = (reader.gaps, reader.framesLost)
      return isEnough(outcome)
    }
    #expect(ended, "the load did not show what it should: \(outcome)")
    return outcome
  }

  @Test func noSampleIsEverTornAndEveryMissingOneIsCounted() throws {
    let outcome = try readUnderLoad(checksAfterwards: true) {
      $0.torn > 0 || ($0.right >= 50 && $0.gaps >= 20)
    }
    #expect(outcome.torn == 0 && outcome.right >= 50 && outcome.missing == outcome.jumps)
  }

  /// A control: without the second read of `reserved`, the load above tears samples.
  @Test func withoutTheSecondReadSamplesAreTorn() throws {
    let outcome = try readUnderLoad(checksAfterwards: false) { $0.torn >= 10 }
    #expect(outcome.torn >= 10)
  }

  @Test(arguments: [true, false])
  func whatTheWriterWentOverWhileItWasCopiedIsLeftOut(checksAfterwards: Bool) throws {
    let testAudio = TestAudio.mono
    let writer = try testAudio.writer(path)
    var overtakes = true
    let reader = try AudioRingReader(
      path: path, checksAfterwards: checksAfterwards,
      whileReading: {
        guard overtakes else { return }
        overtakes = false
        for _ in 0..<3 { try? testAudio.publish(400, to: writer) }
      })
    for _ in 0..<5 { try testAudio.publish(400, to: writer) }
    let runs = try reader.read()
    guard checksAfterwards else {
      #expect(runs.count == 1 && !testAudio.isRight(runs[0]))
      return
    }
    // 3,200 frames were written, and the last 2,048 are still in the ring. Three of the first five packets are lost.
    #expect(runs.map { $0.frames() } == [1200..<2000])
    #expect(runs.allSatisfy(testAudio.isRight))
    #expect(reader.gaps == 1 && reader.framesLost == 1200)
    #expect(try reader.read().map { $0.frames() } == [2000..<3200])
    #expect(reader.gaps == 1)
  }

  /// Tests the order of the writer's stores. In another order, the samples or the entry would belong to another packet.
  @Test(arguments: [512, 1] as [UInt64]) func whatTheWriterIsGoingOverIsNotRead(packet: UInt64) throws {
    let testAudio = TestAudio.mono
    let writer = try testAudio.writer(path)
    let reader = try AudioRingReader(path: path)
    // Fills the room for samples, or the table of packets.
    let count = packet == 1 ? 512 : 2048 / packet
    for _ in 0..<count { try testAudio.publish(packet, to: writer) }
    var runs: [AudioRun]?
    var fault: FileError?
    writer.whileWriting = { do throws(FileError) { runs = try reader.read() } catch { fault = error } }
    try testAudio.publish(packet, to: writer)
    writer.whileWriting = nil
    #expect(fault == nil)
    #expect(runs?.map { $0.frames() } == [packet..<count * packet])
    #expect(runs?.allSatisfy(testAudio.isRight) == true)
    #expect(reader.gaps == 1 && reader.framesLost == packet)
    #expect(try reader.read().map { $0.frames() } == [count * packet..<(count + 1) * packet])
  }
}
