import CoreVideo
import PixelAccess
import SharedMemory
import TestSupport

@testable import ScreenBroadcast

@Suite struct PixelBufferSerializerTests {
  private typealias Field = PixelBufferSerializer.Field

  private func serialize(_ picture: CVPixelBuffer, into bytes: inout [UInt8]) throws {
    var span = bytes.mutableSpan
    try PixelBufferSerializer().serialize(picture, into: &span)
  }

  private func serialize(_ picture: CVPixelBuffer) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try PixelBufferSerializer.serializedSize(of: picture))
    try serialize(picture, into: &bytes)
    return bytes
  }

  private func deserialize(_ bytes: [UInt8]) throws -> CVPixelBuffer {
    var serializer = PixelBufferSerializer()
    return try serializer.deserialize(bytes.span)
  }

  @Test(
    arguments: [(1, 1), (2, 2), (3, 1), (1, 3), (7, 5), (64, 4), (65, 3), (63, 2), (40, 30)],
    [(fullRange, 64), (videoRange, 64), (fullRange, 1), (fullRange, 16), (videoRange, 256)])
  func aFrameOfAnySizeFormatAndPaddingSurvivesTheRoundTrip(size: (Int, Int), kind: (OSType, Int)) throws {
    let picture = try makePicture(width: size.0, height: size.1, format: kind.0, alignment: kind.1)
    let copy = try deserialize(try serialize(picture))
    #expect(CVPixelBufferGetWidth(copy) == size.0 && CVPixelBufferGetHeight(copy) == size.1)
    #expect(CVPixelBufferGetPixelFormatType(copy) == kind.0)
    #expect(pixels(of: copy) == pixels(of: picture))
  }

  @Test(arguments: [(ColourMatrix?.none, UInt8(0)), (.bt709, 1), (.bt601, 6)])
  func theStatedMatrixSurvivesTheRoundTrip(matrix: ColourMatrix?, code: UInt8) throws {
    let picture = try makePicture()
    if let matrix { picture.state(matrix) }
    let bytes = try serialize(picture)
    #expect(bytes[Field.matrix] == code)
    #expect(try deserialize(bytes).statedMatrix == matrix)
  }

  @Test(arguments: [(1, 1), (2, 2), (7, 5), (64, 4), (65, 3), (1170, 20)])
  func theSizeOfAScreenIsKnownBeforeItsFirstFrame(size: (Int, Int)) throws {
    let picture = try makePicture(width: size.0, height: size.1)
    #expect(
      try PixelBufferSerializer.serializedSize(of: picture)
        == PixelBufferSerializer.serializedSize(width: size.0, height: size.1))
  }

  @Test func aSerializedFrameHasTheDocumentedBytes() throws {
    let picture = try makePicture(width: 3, height: 3, format: videoRange)
    var bytes = [UInt8](repeating: 0xAA, count: try PixelBufferSerializer.serializedSize(of: picture))
    try serialize(picture, into: &bytes)
    let header: [UInt8] = [
      0x76, 0x30, 0x32, 0x34, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0,  // format, size, planes
      64, 0, 0, 0, 64, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,  // luma
      0, 1, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,  // chroma
    ]
    #expect(Array(bytes[..<48]) == header)
    #expect(bytes.count == 64 + 3 * 64 + 2 * 64 && Field.byteCount == 64)
    #expect(PixelBufferSerializer.maximumBytesPerRow == 16_384)
  }

  @Test func planesAreOnBoundariesOfACacheLine() throws {
    let layout = try PixelBufferSerializer.Header(of: try makePicture(width: 7, height: 5, alignment: 1))
    #expect((layout.planes.map(\.offset), layout.planes.map(\.shape.height)) == ([64, 128], [5, 3]))
    #expect(layout.byteCount == 128 + 8 * 3)
  }

  @Test func theCopyIsTheReadersOwn() throws {
    var bytes = try serialize(try makePicture())
    let copy = try deserialize(bytes)
    let before = pixels(of: copy)
    for index in bytes.indices { bytes[index] = 0xFF }
    #expect(pixels(of: copy) == before)
  }

  @Test func aSerializerTakesFramesOfChangingSizes() throws {
    var serializer = PixelBufferSerializer()
    for (width, height) in [(8, 6), (9, 7), (8, 6), (1, 1)] {
      let picture = try makePicture(width: width, height: height, seed: UInt8(width))
      let bytes = try serialize(picture)
      #expect(try pixels(of: serializer.deserialize(bytes.span)) == pixels(of: picture))
    }
  }

  @Test func onlyTwoFormatsTravel() throws {
    let format = kCVPixelFormatType_32BGRA
    let picture = try makePicture(format: format)
    #expect(throws: PixelBufferSerializer.Failure.unsupportedFormat(format)) {
      try PixelBufferSerializer.serializedSize(of: picture)
    }
  }

  @Test func aFrameLargerThanTheLimitIsRefused() throws {
    let width = PixelBufferSerializer.maximumDimension + 1
    let picture = try makePicture(width: width, height: 1, alignment: 1)
    #expect(throws: PixelBufferSerializer.Failure.unsupportedSize(width: width, height: 1)) {
      try PixelBufferSerializer.serializedSize(of: picture)
    }
    let limit = try makePicture(width: width - 1, height: 1, alignment: 1)
    #expect(try pixels(of: deserialize(try serialize(limit))) == pixels(of: limit))
  }

  /// Returns a buffer of 8 × 4 pixels over 256 bytes of `memory`, with planes of any shape.
  private func lend(
    _ memory: UnsafeMutableRawPointer, rows: [Int], bytesPerRow: [Int]
  ) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    // UNSAFE: addresses within the caller's memory, and parameters of this frame.
    var bases = unsafe [Optional(memory), Optional(memory + 128)]
    var (widths, heights, strides) = ([7, 4], rows, bytesPerRow)
    let code = unsafe CVPixelBufferCreateWithPlanarBytes(
      nil, 8, 4, fullRange, memory, 256, 2, &bases, &widths, &heights, &strides, nil, nil, nil, &buffer)
    #expect(code == kCVReturnSuccess)
    return try #require(buffer)
  }

  @Test(arguments: [([4, 3], [8, 8]), ([3, 2], [8, 8]), ([4, 2], [7, 8])])
  func aFrameWithPlanesOfAnotherSizeIsRefused(rows: [Int], bytesPerRow: [Int]) throws {
    // UNSAFE: freed after the last use of the buffer over it.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64)
    defer { unsafe memory.deallocate() }
    let picture = try unsafe lend(memory, rows: rows, bytesPerRow: bytesPerRow)
    let failure = #expect(throws: PixelBufferSerializer.Failure.self) { try serialize(picture) }
    #expect(failure?.description.contains("plane") == true)
  }

  @Test func tooLittleRoomIsAnError() throws {
    let picture = try makePicture()
    let needed = try PixelBufferSerializer.serializedSize(of: picture)
    for count in [0, 63, 64, needed - 1] {
      var bytes = [UInt8](repeating: 9, count: count)
      #expect(throws: PixelBufferSerializer.Failure.tooSmall(byteCount: count, needed: needed)) {
        try serialize(picture, into: &bytes)
      }
      #expect(bytes.allSatisfy { $0 == 9 })
    }
  }

  @Test func bytesCutAnywhereAreRefused() throws {
    let bytes = try serialize(try makePicture(width: 7, height: 5, alignment: 1))
    for length in bytes.indices {
      #expect(throws: PixelBufferSerializer.Failure.self) { try deserialize(Array(bytes[..<length])) }
    }
    _ = try deserialize(bytes)
    _ = try deserialize(bytes + [0, 0])
  }

  private static let luma = Field.planes
  private static let chroma = Field.planes + Field.planeStride

  // The picture has 7 × 5 pixels: 5 luma rows of 64 bytes at offset 64, and 3 chroma rows of 64 bytes at offset 384.
  @Test(
    arguments: [
      (Field.width, [0, 8193, 1 << 31, .max], "the width"),
      (Field.height, [0, 8193, 1 << 31, .max], "the height"),
      (Field.height, [3, 4, 6, 8192], "the rows of plane 0"),
      (Field.planeCount, [0, 1, 3, .max], "the number of planes"),
      (luma + Field.planeRows, [0, 4, 6, .max], "the rows of plane 0"),
      (chroma + Field.planeRows, [0, 2, 4, .max], "the rows of plane 1"),
      (luma + Field.planeBytesPerRow, [0, 6, 16_385, 1 << 31, .max], "the bytes per row of plane 0"),
      (chroma + Field.planeBytesPerRow, [0, 7, 16_385, .max], "the bytes per row of plane 1"),
      (luma + Field.planeBytesPerRow, [103 * 64, 16_384], "the offset of plane 0"),
      (luma + Field.planeOffset, [0, 1, 63, 577 - 320, 1 << 31, .max], "the offset of plane 0"),
      (chroma + Field.planeOffset, [0, 63, 385, .max], "the offset of plane 1"),
    ] as [(Int, [UInt32], String)])
  func aWrongHeaderIsRefusedWithTheFieldsName(offset: Int, values: [UInt32], field: String) throws {
    let good = try serialize(try makePicture(width: 7, height: 5))
    #expect(good.count == 576)
    for value in values {
      var bytes = good
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(index * 8)) }
      #expect(throws: PixelBufferSerializer.Failure.malformed(field: field), "\(value)") {
        try deserialize(bytes)
      }
    }
  }

  @Test func anUnknownFormatIsRefused() throws {
    var bytes = try serialize(try makePicture())
    bytes[0] = 0x21
    #expect(throws: PixelBufferSerializer.Failure.unsupportedFormat(0x3432_3021)) { try deserialize(bytes) }
  }
}
