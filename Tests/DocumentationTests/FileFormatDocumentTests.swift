import SharedMemory
import TestSupport

@testable import ScreenBroadcast

private typealias Header = RingLayout.Header
private typealias Slot = RingLayout.Slot
private typealias Audio = AudioRingLayout.Header
private typealias Packet = AudioRingLayout.Packet
private typealias Buffer = PixelBufferSerializer.Field

/// Tests that the fields in the tables of `Docs/Internals/FileFormat.md` have the offsets and sizes of the code. Their
/// meanings are only on the page.
@Suite struct FileFormatDocumentTests {
  private struct Table {
    let heading: String
    let byteCount: Int
    /// The fields in the order of the file. The size of the last field may be open. Bytes without a name are zero or the
    /// rest.
    let fields: [(name: String, offset: Int, size: Int?)]

    init(_ heading: String, within byteCount: Int, _ fields: (String, Int, Int?)...) {
      self.heading = heading
      self.byteCount = byteCount
      self.fields = fields
    }
  }

  private static let tables = [
    Table(
      "Header", within: Header.byteCount,
      ("magic", Header.magic, 8), ("version", Header.version, 4), ("slotCount", Header.slotCount, 4),
      ("slotStride", Header.slotStride, 8), ("slotsOffset", Header.slotsOffset, 8),
      ("fileSize", Header.fileSize, 8), ("session", Header.session, 8), ("startTime", Header.startTime, 8),
      ("processID", Header.processID, 4), ("latest", Header.latest, 8), ("state", Header.state, 8),
      ("framesProduced", Header.framesProduced, 8), ("framesDropped", Header.framesDropped, 8),
      ("errorCode", Header.errorCode, 8),
      ("sequences", Header.sequences, RingLayout.slotCounts.upperBound * Header.sequenceStride),
      ("errorDomain", Header.errorDomain, Header.errorDomainCapacity),
      ("errorText", Header.errorText, Header.errorTextCapacity)),
    Table(
      "Slot", within: Slot.payload + 1,
      ("frameNumber", Slot.frameNumber, 8), ("captureTime", Slot.captureTime, 8),
      ("publishTime", Slot.publishTime, 8), ("orientation", Slot.orientation, 4),
      ("payloadSize", Slot.payloadSize, 8), ("payload", Slot.payload, nil)),
    Table(
      "Audio header", within: Audio.byteCount,
      ("magic", Audio.magic, 8), ("version", Audio.version, 4), ("channelCount", Audio.channelCount, 4),
      ("sampleRate", Audio.sampleRate, 8), ("bitsPerSample", Audio.bitsPerSample, 4),
      ("isBigEndian", Audio.isBigEndian, 4), ("capacity", Audio.capacity, 8), ("fileSize", Audio.fileSize, 8),
      ("session", Audio.session, 8), ("startTime", Audio.startTime, 8), ("processID", Audio.processID, 4),
      ("firstFrame", Audio.firstFrame, 8), ("firstPacket", Audio.firstPacket, 8),
      ("reserved", Audio.reserved, 8), ("packets", Audio.packets, 8), ("state", Audio.state, 8),
      ("packetsDropped", Audio.packetsDropped, 8)),
    Table(
      "Packet entry", within: Packet.byteCount,
      ("sequence", Packet.sequence, 8), ("firstFrame", Packet.firstFrame, 8),
      ("frameCount", Packet.frameCount, 4), ("pauses", Packet.pauses, 4),
      ("captureTime", Packet.captureTime, 8)),
    Table(
      "Pixel buffer", within: Buffer.byteCount + 1,
      ("pixelFormat", Buffer.pixelFormat, 4), ("width", Buffer.width, 4), ("height", Buffer.height, 4),
      ("planeCount", Buffer.planeCount, 4), ("planes", Buffer.planes, 2 * Buffer.planeStride),
      ("matrix", Buffer.matrix, 4), ("", Buffer.byteCount, nil)),
    Table(
      "Plane entry", within: Buffer.planeStride,
      ("planeOffset", Buffer.planeOffset, 4), ("planeBytesPerRow", Buffer.planeBytesPerRow, 4),
      ("planeRows", Buffer.planeRows, 4), ("", Buffer.planeRows + 4, 4)),
  ]

  @Test func theFieldsLieWhereThePageSaysAndDoNotOverlap() throws {
    let page = try Document("Docs/Internals/FileFormat.md")
    try page.check(
      Self.tables.map { table in
        let text = try #require(page.text.split(separator: "\n### \(table.heading)\n").last)
        let written = text.split(separator: "\n").map {
          $0.split(separator: " | ", maxSplits: 3, omittingEmptySubsequences: false)
        }
        var end = 0
        let rows = try table.fields.map { field in
          #expect(field.offset >= end, "\(field)")
          end = field.offset + (field.size ?? 1)
          let name = field.name.isEmpty ? "" : String.code(field.name)
          let row = try #require(written.first { $0.count == 4 && $0[2] == name }, "\(field)")
          return ["\(field.offset)", field.size.map(String.init) ?? "", name, String(row[3].dropLast(2))]
        }
        #expect(end <= table.byteCount)
        return (table.heading, .table(["offset", "size", "field", "meaning"], rows))
      })
  }
}
