import TestSupport
import Testing

@testable import Platform
@testable import SharedMemory

@Suite struct AudioRingLayoutTests {
  private typealias Header = AudioRingLayout.Header

  @Test func changingWordsHaveCacheLinesOfTheirOwn() {
    for word in [Header.reserved, Header.packets, Header.state] { #expect(word % 64 == 0) }
    #expect(Header.constantByteCount == Header.firstPacket + 8)
    #expect(AudioRingLayout.packetsOffset == 4096 && AudioRingLayout.samplesOffset == 20_480)
    #expect(AudioRingLayout.Packet.count == 512)
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
}
