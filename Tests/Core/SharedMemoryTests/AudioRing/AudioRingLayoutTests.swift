import TestSupport

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
    #expect([8, 12, 24, 28].map { span.loadLittleEndian(at: $0, as: UInt32.self) } == [3, 2, 16, 1])
    #expect(Double(bitPattern: span.loadLittleEndian(at: 16)) == 1000)
    let words = [32, 40, 128, 192, 256, 4096, 4104, 4112].map {
      span.loadLittleEndian(at: $0, as: UInt64.self)
    }
    #expect(words == [2048, UInt64(bytes.count), 3, 1, 1, 2, 0, 3])
    #expect(bytes.count == 20_480 + 2048 * 4 + 8 && bytes.suffix(8).elementsEqual("BCASTAUD".utf8))
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
