import TestSupport

@testable import SharedMemory

@Suite struct RingLayoutTests {
  private typealias Header = RingLayout.Header

  @Test func aFileHasTheBytesTheTablesSay() throws {
    let ring = try HostileRing()
    #expect(ring.bytes[0..<8].elementsEqual("BCASTRNG".utf8))
    let span = ring.bytes.span
    let slot = 4096 + 2 * 4096
    #expect([8, 12].map { span.loadLittleEndian(at: $0, as: UInt32.self) } == [5, 3])
    let words = [16, 24, 32, 64, 128, 136, 192, 256, 320, slot, slot + 32].map {
      span.loadLittleEndian(at: $0, as: UInt64.self)
    }
    let expected: [UInt64] = [4096, 4096, UInt64(ring.bytes.count), 0x202, 1, 2, 0, 4, 6, 2, 100]
    #expect(words == expected)
    #expect(ring.bytes[(slot + 64)..<(slot + 164)].allSatisfy { $0 == 2 })
    #expect(ring.bytes.count == 4096 + 3 * 4096 + 8 && ring.bytes.suffix(8).elementsEqual("BCASTRNG".utf8))
  }

  @Test func changingWordsHaveCacheLinesOfTheirOwnAndSlotsAreAligned() {
    for word in [Header.latest, Header.state, Header.sequences, Header.sequenceStride] {
      #expect(word % 64 == 0)
    }
    for capacity in [1, 4032, 4033, 1_000_000, RingLayout.maximumPayload] {
      let layout = RingLayout(slotCount: 3, payloadCapacity: capacity)
      #expect(layout.payloadCapacity >= capacity && layout.payloadCapacity < capacity + 4096)
      #expect(layout.slotStride % 4096 == 0 && layout.slotOffset(0) == 4096)
      #expect(layout.slotOffset(2) + layout.slotStride + 8 == layout.byteCount)
    }
  }

  @Test func aLayoutReadsItselfBack() throws {
    let folder = try TemporaryFolder()
    for capacity in [1, 5000] {
      let path = folder("\(capacity).ring")
      let writer = try FrameRingWriter(at: path, slots: 8, capacity: capacity)
      #expect(
        try FrameRingReader(path: path).frames.layout == RingLayout(slotCount: 8, payloadCapacity: capacity))
      try writer.finish()
    }
    let largest = RingLayout(slotCount: 8, payloadCapacity: RingLayout.maximumPayload)
    #expect(RingLayout.slotStrides.contains(largest.slotStride))
  }

  @Test func aFrameAndItsSlotFitIntoAWord() {
    for (number, slot) in [(1, 0), (7, 7), (UInt64.max >> 8, 127)] as [(UInt64, Int)] {
      let word = RingLayout.pack(number, slot: slot)
      #expect(RingLayout.unpack(word) == (number, slot))
      // The mark that no frame follows changes the word, but neither the number nor the slot.
      #expect(RingLayout.unpack(word | RingLayout.lastWord) == (number, slot))
      #expect(word & RingLayout.lastWord == 0)
    }
    #expect(RingLayout.unpack(0).number == 0)
  }
}
