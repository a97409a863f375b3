import CoreVideo
import PixelAccess
import Testing

@Suite struct CVPixelBufferPoolTests {
  private func makePool() throws -> CVPixelBufferPool {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: 32, kCVPixelBufferHeightKey: 16,
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    return try #require(CoreVideoTests.makePool(attributes).pool)
  }

  private func firstPixel(_ buffer: CVPixelBuffer) -> UInt8 { buffer.readPlane(0) { bytes, _ in bytes[0] } }

  @Test func buffersHaveThePoolsDescription() throws {
    let buffer = try take(makePool())
    #expect(CVPixelBufferGetWidth(buffer) == 32)
    #expect(CVPixelBufferGetHeight(buffer) == 16)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
  }

  @Test func buffersInUseHaveSeparateMemory() throws {
    let pool = try makePool()
    let (first, second) = (try take(pool), try take(pool))
    first.writePlane(0) { bytes, _ in bytes[0] = 1 }
    second.writePlane(0) { bytes, _ in bytes[0] = 2 }
    #expect(firstPixel(first) == 1)
  }

  @Test(arguments: [false, true]) func memoryOfAReleasedBufferIsReusedUnchangedUntilAFlush(flushes: Bool)
    throws
  {
    let pool = try makePool()
    try take(pool).writePlane(0) { bytes, _ in bytes[0] = 42 }
    if flushes { CVPixelBufferPoolFlush(pool, .excessBuffers) }
    #expect(firstPixel(try take(pool)) == (flushes ? 0 : 42))
  }

  @Test func theThresholdLimitsTheBuffersInUse() throws {
    let pool = try makePool()
    let limit: CFDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 1]
    var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
    // UNSAFE: the out parameters are local variables.
    #expect(
      unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &first) == kCVReturnSuccess
    )
    #expect(
      unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &second)
        == kCVReturnWouldExceedAllocationThreshold)
    #expect(first != nil && second == nil)
    first = nil
    #expect(
      unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &second)
        == kCVReturnSuccess)
  }

  @Test func aBufferMayOutliveItsPool() throws {
    var pool: CVPixelBufferPool? = try makePool()
    let buffer = try take(try #require(pool))
    pool = nil
    #expect(firstPixel(buffer) == 0)
  }

  @Test func aListOfFormatsIsAllowed() throws {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: 32, kCVPixelBufferHeightKey: 16,
      kCVPixelBufferPixelFormatTypeKey: [
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
      ],
    ]
    let pool = try #require(CoreVideoTests.makePool(attributes).pool)
    #expect(try CVPixelBufferGetPixelFormatType(take(pool)) == kCVPixelFormatType_32BGRA)
  }

  @Test func aPoolNeedsSizeAndFormat() {
    for attributes in [[kCVPixelBufferWidthKey: 32], nil] as [CFDictionary?] {
      let (code, pool) = CoreVideoTests.makePool(attributes)
      #expect(code == kCVReturnInvalidPoolAttributes && pool == nil)
    }
  }
}
