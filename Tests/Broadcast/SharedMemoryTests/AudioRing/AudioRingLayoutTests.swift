import TestSupport
import Testing

@testable import Platform
@testable import SharedMemory

@Suite struct AudioRingLayoutTests {
  private typealias Header = AudioRingLayout.Header
  private typealias Packet = AudioRingLayout.Packet
  private typealias Place = FormatTable.Place

  @Test func theHeaderIsAsDocumented() throws {
    let documented = try FormatTable(under: "Audio header").fields
    #expect(
      documented == [
        "magic": Place(offset: Header.magic, size: 8), "version": Place(offset: Header.version, size: 4),
        "channelCount": Place(offset: Header.channelCount, size: 4),
        "sampleRate": Place(offset: Header.sampleRate, size: 8),
        "bitsPerSample": Place(offset: Header.bitsPerSample, size: 4),
        "isBigEndian": Place(offset: Header.isBigEndian, size: 4),
        "capacity": Place(offset: Header.capacity, size: 8),
        "fileSize": Place(offset: Header.fileSize, size: 8),
        "session": Place(offset: Header.session, size: 8),
        "startTime": Place(offset: Header.startTime, size: 8),
        "processID": Place(offset: Header.processID, size: 4),
        "firstFrame": Place(offset: Header.firstFrame, size: 8),
        "firstPacket": Place(offset: Header.firstPacket, size: 8),
        "reserved": Place(offset: Header.reserved, size: 8),
        "packets": Place(offset: Header.packets, size: 8),
        "state": Place(offset: Header.state, size: 8),
        "packetsDropped": Place(offset: Header.packetsDropped, size: 8),
      ])
    expectNoOverlap(documented, within: Header.byteCount)
    #expect(Header.constantByteCount == Header.firstPacket + 8)
    for word in [Header.reserved, Header.packets, Header.state] { #expect(word % 64 == 0) }
  }

  @Test func anEntryIsAsDocumented() throws {
    let documented = try FormatTable(under: "Packet entry").fields
    #expect(
      documented == [
        "sequence": Place(offset: Packet.sequence, size: 8),
        "firstFrame": Place(offset: Packet.firstFrame, size: 8),
        "frameCount": Place(offset: Packet.frameCount, size: 4),
        "pauses": Place(offset: Packet.pauses, size: 4),
        "captureTime": Place(offset: Packet.captureTime, size: 8),
      ])
    expectNoOverlap(documented, within: Packet.byteCount)
    #expect(AudioRingLayout.packetsOffset == 4096 && AudioRingLayout.samplesOffset == 20_480)
    #expect(Packet.count == 512)
  }

  @Test func aFileHasTheBytesTheTablesSay() throws {
    let folder = try TemporaryFolder()
    let writer = try TestAudio.stereo.writer(folder("audio-app.ring"))
    try TestAudio.stereo.publish(3, to: writer)
    let bytes = try PlainFile.read(folder("audio-app.ring"), limit: 1 << 20)
    #expect(bytes[0..<8].elementsEqual("BCASTAUD".utf8))
    let span = bytes.span
    #expect(span.loadLittleEndian(at: 8, as: UInt32.self) == 3)
    #expect(span.loadLittleEndian(at: 12, as: UInt32.self) == 2)
    #expect(Double(bitPattern: span.loadLittleEndian(at: 16)) == 1000)
    #expect(span.loadLittleEndian(at: 24, as: UInt32.self) == 16)
    #expect(span.loadLittleEndian(at: 28, as: UInt32.self) == 1)
    #expect(span.loadLittleEndian(at: 32, as: UInt64.self) == 2048)
    #expect(span.loadLittleEndian(at: 40, as: UInt64.self) == UInt64(bytes.count))
    #expect(bytes.count == 20_480 + 2048 * 4 + 8 && bytes.suffix(8).elementsEqual("BCASTAUD".utf8))
    #expect(span.loadLittleEndian(at: 128, as: UInt64.self) == 3)
    #expect(span.loadLittleEndian(at: 192, as: UInt64.self) == 1)
    #expect(span.loadLittleEndian(at: 256, as: UInt64.self) == 1)
    #expect([0, 8, 16].map { span.loadLittleEndian(at: 4096 + $0, as: UInt64.self) } == [2, 0, 3])
    #expect(Array(bytes[20_480..<(20_480 + 12)]) == TestAudio.stereo.bytes(0..<3))
    try writer.finish()
  }

  @Test func framesThatGoRoundLieInTwoPlaces() {
    let layout = AudioRingLayout(TestAudio.stereo.format)
    #expect(layout.places(of: 2047..<2048) == [28_668..<28_672])
    #expect(layout.places(of: 2047..<2050) == [28_668..<28_672, 20_480..<20_488])
    #expect(layout.places(of: 5000..<5000).allSatisfy { $0.isEmpty })
  }

  private func expectNoOverlap(_ fields: [String: Place], within limit: Int) {
    var end = 0
    for (name, place) in fields.sorted(by: { $0.value.offset < $1.value.offset }) {
      #expect(place.offset >= end, "\(name)")
      end = place.offset + (place.size ?? 1)
    }
    #expect(end <= limit)
  }
}
