import CoreVideo
import Testing

/// Tests that attributes of pixel buffers may be numbers of any type, like the numbers of Core Foundation.
@Suite struct PixelBufferAttributesTests {
  private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  @Test(
    arguments: [
      [32 as Int, Int(format)], [32 as Int32, Int32(format)], [32 as UInt32, format],
      [32 as UInt16, UInt64(format)],
      [32.0 as Double, Double(format)], [32 as Float, format],
      [NSNumber(value: 32), NSNumber(value: format)],
      [32 as CGFloat, Int64(format)],
    ] as [[any Sendable]])
  func aPoolTakesNumbersOfAnyType(numbers: [any Sendable]) {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: numbers[0], kCVPixelBufferHeightKey: numbers[0],
      kCVPixelBufferPixelFormatTypeKey: numbers[1],
    ]
    #expect(makePool(attributes).code == kCVReturnSuccess)
  }

  @Test(arguments: [256 as Int32, 256 as UInt32, 256.0 as Double, NSNumber(value: 256)] as [any Sendable])
  func anAlignmentIsANumberOfAnyType(alignment: any Sendable) throws {
    let (code, buffer) = makeBuffer(
      width: 30, height: 20, attributes: [kCVPixelBufferBytesPerRowAlignmentKey: alignment])
    #expect(code == kCVReturnSuccess)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(try #require(buffer), 0) == 256)
  }

  @Test func attributesMayBeAnNSDictionary() throws {
    let attributes = NSDictionary(dictionary: [
      kCVPixelBufferWidthKey: 32, kCVPixelBufferHeightKey: 16, kCVPixelBufferPixelFormatTypeKey: Self.format,
    ])
    var pool: CVPixelBufferPool?
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameters are local variables.
    #expect(unsafe CVPixelBufferPoolCreate(nil, nil, attributes, &pool) == kCVReturnSuccess)
    #expect(unsafe CVPixelBufferCreate(nil, 32, 16, Self.format, attributes, &buffer) == kCVReturnSuccess)
  }

  @Test(arguments: [-1, 0, 1.5, "32"] as [any Sendable]) func otherValuesAreRefused(width: any Sendable) {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: 16,
      kCVPixelBufferPixelFormatTypeKey: Self.format,
    ]
    #expect(makePool(attributes).code != kCVReturnSuccess)
  }
}
