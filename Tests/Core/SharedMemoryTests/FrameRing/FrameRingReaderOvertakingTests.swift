import TestSupport

@testable import SharedMemory

/// Tests readers that the writer overtakes: slow readers, and readers that copy piece by piece.
@Suite(.serialized) struct FrameRingReaderOvertakingTests {
  private let folder = TemporaryFolder.ofSuite()

  private static let byteCount = 16 * 1024
  private static let chunk = 2 * 1024

  private struct Outcome {
    var whole = 0
    var torn = 0
    var overtaken: UInt64 = 0
  }

  /// Reads until `isEnough`, under the load of a writer at full speed.
  private func readUnderLoad(
    slotCount: Int, checksAfterwards: Bool, until isEnough: (Outcome) -> Bool
  ) throws -> Outcome {
    let path = folder("frames.ring")
    // Each byte of a frame is the low byte of its number.
    let writer = BackgroundLoad {
      try FrameRingWriter(at: path, slots: slotCount, capacity: Self.byteCount)
    } write: {
      let byte = UInt8(truncatingIfNeeded: $0.framesPublished + 1)
      try $0.publish(repeating: byte, byteCount: Self.byteCount, clock: SystemClock())
    } finish: {
      try $0.finish()
    }
    defer { writer.stop() }
    #expect(holds { (try? FrameRingReader(path: path)) != nil })
    let reader = try FrameRingReader(path: path, checksAfterwards: checksAfterwards)
    var outcome = Outcome()
    var reads = 0
    var copy = [UInt8](repeating: 0, count: Self.byteCount)
    let ended = holds(within: .seconds(60)) {
      reads += 1
      // Every second read lets the writer overtake it in the middle. The other reads do not even yield, because on a loaded
      // host no read would ever be intact.
      let isSlow = reads % 2 == 0
      do {
        let stamp = try reader.next { stamp, payload in
          var offset = 0
          while offset < payload.count {
            if isSlow, offset == Self.byteCount / 2 {
              _ = holds(within: .seconds(1)) { reader.framesPublished >= stamp.number + UInt64(slotCount) }
            }
            let piece = payload.extracting(offset..<min(offset + Self.chunk, payload.count))
            piece.copy(to: &copy, at: offset)
            offset += piece.count
          }
          return stamp
        }
        if let stamp {
          let isWhole = copy.isUniform && copy[0] == UInt8(truncatingIfNeeded: stamp.number)
          if isWhole { outcome.whole += 1 } else { outcome.torn += 1 }
        }
      } catch {
        // Only without the check: the header changed while it was read.
        outcome.torn += 1
      }
      outcome.overtaken = reader.overtaken
      return isEnough(outcome)
    }
    #expect(ended, "the load did not show what it should: \(outcome)")
    return outcome
  }

  @Test(arguments: [2, 3, 8]) func noFrameIsEverTorn(slotCount: Int) throws {
    let outcome = try readUnderLoad(slotCount: slotCount, checksAfterwards: true) {
      $0.torn > 0 || ($0.whole >= 20 && $0.overtaken >= 20)
    }
    #expect(outcome.torn == 0 && outcome.whole >= 20)
  }

  /// A control: without the second read of the counter, the load above tears frames.
  @Test(arguments: [2, 3, 8]) func withoutTheSecondReadFramesAreTorn(slotCount: Int) throws {
    let outcome = try readUnderLoad(slotCount: slotCount, checksAfterwards: false) { $0.torn >= 10 }
    #expect(outcome.torn >= 10)
  }

  @Test func aReaderThatIsAlwaysTooSlowGetsNothingAndCountsWhy() throws {
    let writer = try FrameRingWriter(at: folder("frames.ring"), slots: 2)
    let reader = try FrameRingReader(path: folder("frames.ring"))
    try writer.publish(repeating: 1)
    var numbers: [UInt64] = []
    let result = try reader.next { stamp, _ in
      numbers.append(stamp.number)
      return Result { for byte in 2...3 as ClosedRange<UInt8> { try writer.publish(repeating: byte) } }
    }
    #expect(result == nil)
    #expect(reader.overtaken == UInt64(numbers.count))
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(try reader.nextFrame()?.stamp.number == writer.framesPublished)
  }

  @Test func aResultOfAnOvertakenReadIsThrownAway() throws {
    let writer = try FrameRingWriter(at: folder("frames.ring"), slots: 2)
    let reader = try FrameRingReader(path: folder("frames.ring"))
    try writer.publish(repeating: 1)
    var attempts = 0
    let byte = try reader.next { _, payload in
      attempts += 1
      let first = payload[0]
      if attempts == 1 {
        do { for byte in 2...3 as ClosedRange<UInt8> { try writer.publish(repeating: byte) } } catch {
          Issue.record(error)
        }
      }
      return first
    }
    #expect(byte == 3)
    #expect(attempts == 2)
    #expect(reader.overtaken == 1)
  }

  @Test func aFrameBeingWrittenDoesNotHideTheNewestOne() throws {
    let writer = try FrameRingWriter(at: folder("frames.ring"), slots: 2)
    let reader = try FrameRingReader(path: folder("frames.ring"))
    try writer.publish(repeating: 1)
    try writer.publish(repeating: 2)
    var seen: Frame?
    try writer.publish(byteCount: 10, captureTime: 0, orientation: 1) { _ in seen = try? reader.nextFrame() }
    #expect(seen?.stamp.number == 2)
    #expect(try (reader.nextFrame()?.stamp.number, reader.overtaken) == (3, 0))
  }
}
