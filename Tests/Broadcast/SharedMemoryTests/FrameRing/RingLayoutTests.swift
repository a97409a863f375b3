import Platform
import TestSupport
import Testing

@testable import SharedMemory

@Suite struct RingLayoutTests {
  private typealias Header = RingLayout.Header
  private typealias Slot = RingLayout.Slot
  private typealias Place = FormatTable.Place

  @Test func theHeaderIsAsDocumented() throws {
    let documented = try FormatTable(under: "Header").fields
    let sequences = RingLayout.slotCounts.upperBound * Header.sequenceStride
    #expect(
      documented == [
        "magic": Place(offset: Header.magic, size: 8), "version": Place(offset: Header.version, size: 4),
        "slotCount": Place(offset: Header.slotCount, size: 4),
        "slotStride": Place(offset: Header.slotStride, size: 8),
        "slotsOffset": Place(offset: Header.slotsOffset, size: 8),
        "fileSize": Place(offset: Header.fileSize, size: 8),
        "session": Place(offset: Header.session, size: 8),
        "startTime": Place(offset: Header.startTime, size: 8),
        "processID": Place(offset: Header.processID, size: 4),
        "latest": Place(offset: Header.latest, size: 8),
        "state": Place(offset: Header.state, size: 8),
        "framesProduced": Place(offset: Header.framesProduced, size: 8),
        "framesDropped": Place(offset: Header.framesDropped, size: 8),
        "errorCode": Place(offset: Header.errorCode, size: 8),
        "sequences": Place(offset: Header.sequences, size: sequences),
        "errorDomain": Place(offset: Header.errorDomain, size: Header.errorDomainCapacity),
        "errorText": Place(offset: Header.errorText, size: Header.errorTextCapacity),
      ])
    expectNoOverlap(documented, within: Header.byteCount)
  }

  @Test func aSlotIsAsDocumented() throws {
    let documented = try FormatTable(under: "Slot").fields
    #expect(
      documented == [
        "frameNumber": Place(offset: Slot.frameNumber, size: 8),
        "captureTime": Place(offset: Slot.captureTime, size: 8),
        "publishTime": Place(offset: Slot.publishTime, size: 8),
        "orientation": Place(offset: Slot.orientation, size: 4),
        "payloadSize": Place(offset: Slot.payloadSize, size: 8),
        "payload": Place(offset: Slot.payload, size: nil),
      ])
    expectNoOverlap(documented, within: Slot.payload + 1)
  }

  private func expectNoOverlap(_ fields: [String: Place], within limit: Int) {
    var end = 0
    for (name, place) in fields.sorted(by: { $0.value.offset < $1.value.offset }) {
      #expect(place.offset >= end, "\(name)")
      end = place.offset + (place.size ?? 1)
    }
    #expect(end <= limit)
  }

  @Test func aFileHasTheBytesTheTablesSay() throws {
    let ring = try HostileRing()
    #expect(ring.bytes[0..<8].elementsEqual("BCASTRNG".utf8))
    let span = ring.bytes.span
    #expect(span.loadLittleEndian(at: 8, as: UInt32.self) == 5)
    #expect(span.loadLittleEndian(at: 12, as: UInt32.self) == 3)
    #expect(span.loadLittleEndian(at: 16, as: UInt64.self) == 4096)
    #expect(span.loadLittleEndian(at: 24, as: UInt64.self) == 4096)
    #expect(span.loadLittleEndian(at: 32, as: UInt64.self) == UInt64(ring.bytes.count))
    #expect(span.loadLittleEndian(at: 64, as: UInt64.self) == 2 << 8 | 2)
    #expect(span.loadLittleEndian(at: 128, as: UInt64.self) == 1)
    #expect(span.loadLittleEndian(at: 136, as: UInt64.self) == 2)
    #expect((0..<3).map { span.loadLittleEndian(at: 192 + $0 * 64, as: UInt64.self) } == [0, 4, 6])
    let slot = 4096 + 2 * 4096
    #expect(span.loadLittleEndian(at: slot, as: UInt64.self) == 2)
    #expect(span.loadLittleEndian(at: slot + 32, as: UInt64.self) == 100)
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

  @Test func aLayoutReadsItselfBack() {
    for capacity in [1, 5000, RingLayout.maximumPayload] {
      let layout = RingLayout(slotCount: 8, payloadCapacity: capacity)
      let read = RingLayout(
        slotCount: 8, slotStride: UInt64(layout.slotStride), slotsOffset: 4096,
        fileSize: UInt64(layout.byteCount),
        actualSize: layout.byteCount)
      #expect(read == layout)
    }
  }

  @Test func aFrameAndItsSlotFitIntoAWord() {
    for (number, slot) in [(1, 0), (7, 7), (UInt64.max >> 8, 127)] as [(UInt64, Int)] {
      let word = RingLayout.pack(number, slot: slot)
      #expect(RingLayout.unpack(word) == (number, slot))
      // The mark that no frame follows changes the word, and neither the number nor the slot.
      #expect(RingLayout.unpack(word | RingLayout.lastWord) == (number, slot))
      #expect(word & RingLayout.lastWord == 0)
    }
    #expect(RingLayout.unpack(0).number == 0)
  }
}
