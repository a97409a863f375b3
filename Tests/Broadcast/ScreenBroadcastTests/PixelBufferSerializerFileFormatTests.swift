import TestSupport
import Testing

@testable import ScreenBroadcast

@Suite struct PixelBufferSerializerFileFormatTests {
  private typealias Field = PixelBufferSerializer.Field
  private typealias Place = FormatTable.Place

  @Test func theHeaderIsAsDocumented() throws {
    #expect(
      try FormatTable(under: "Pixel buffer").fields == [
        "pixelFormat": Place(offset: Field.pixelFormat, size: 4),
        "width": Place(offset: Field.width, size: 4),
        "height": Place(offset: Field.height, size: 4),
        "planeCount": Place(offset: Field.planeCount, size: 4),
        "planes": Place(offset: Field.planes, size: 2 * Field.planeStride),
        "matrix": Place(offset: Field.matrix, size: 4),
      ])
    #expect(Field.byteCount == 64)
    #expect(PixelBufferSerializer.maximumBytesPerRow == 16_384)
  }

  @Test func anEntryOfAPlaneIsAsDocumented() throws {
    #expect(
      try FormatTable(under: "Plane entry").fields == [
        "planeOffset": Place(offset: Field.planeOffset, size: 4),
        "planeBytesPerRow": Place(offset: Field.planeBytesPerRow, size: 4),
        "planeRows": Place(offset: Field.planeRows, size: 4),
      ])
  }

  @Test func aSerializedFrameHasTheDocumentedBytes() throws {
    let picture = try makePicture(width: 3, height: 3, format: videoRange)
    var bytes = [UInt8](repeating: 0xAA, count: try PixelBufferSerializer.serializedSize(of: picture))
    var span = bytes.mutableSpan
    try PixelBufferSerializer().serialize(picture, into: &span)
    let header: [UInt8] = [
      0x76, 0x30, 0x32, 0x34, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0,  // format, size, planes
      64, 0, 0, 0, 64, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,  // luma
      0, 1, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,  // chroma
    ]
    #expect(Array(bytes[..<48]) == header)
    #expect(bytes.count == 64 + 3 * 64 + 2 * 64)
  }
}
