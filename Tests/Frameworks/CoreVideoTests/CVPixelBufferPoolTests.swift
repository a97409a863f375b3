import CoreVideo
import PixelAccess
import Testing

@Suite struct CVPixelBufferPoolTests {
  private func makePool() throws -> CVPixelBufferPool {
    let attributes: CFDictionary = [
      kCVPixelBufferWidthKey: 32, kCVPixelBufferHeightKey: 16,
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    var pool: CVPixelBufferPool?
    // UNSAFE: an out parameter of this frame.
    #expect(unsafe CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool) == kCVReturnSuccess)
    return try #require(pool)
  }

  private func take(_ pool: CVPixelBufferPool) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    // UNSAFE: an out parameter of this frame.
    #expect(unsafe CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
    return try #require(buffer)
  }

  private func firstPixel(_ buffer: CVPixelBuffer) -> UInt8 { buffer.readPlane(0) { bytes, _ in bytes[0] } }

  @Test func buffersHaveThePoolsDescription() throws {
    let buffer = try take(makePool())
    #expect(CVPixelBufferGetWidth(buffer) == 32)
    #expect(CVPixelBufferGetHeight(buffer) == 16)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
  }

  @Test func aReleasedBuffersMemoryIsUsedAgainAsItWasLeft() throws {
    let pool = try makePool()
    try take(pool).writePlane(0) { bytes, _ in bytes[0] = 42 }
    #expect(firstPixel(try take(pool)) == 42)
  }

  @Test func buffersHeldAtATimeHaveMemoryOfTheirOwn() throws {
    let pool = try makePool()
    let (first, second) = (try take(pool), try take(pool))
    first.writePlane(0) { bytes, _ in bytes[0] = 1 }
    second.writePlane(0) { bytes, _ in bytes[0] = 2 }
    #expect(firstPixel(first) == 1)
  }

  @Test func aFlushForgetsIdleMemory() throws {
    let pool = try makePool()
    try take(pool).writePlane(0) { bytes, _ in bytes[0] = 42 }
    CVPixelBufferPoolFlush(pool, .excessBuffers)
    #expect(firstPixel(try take(pool)) == 0)
  }

  @Test func theThresholdLimitsWhatIsOut() throws {
    let pool = try makePool()
    let limit: CFDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 1]
    var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
    // UNSAFE: out parameters of this frame.
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

  @Test func aPoolNeedsSizeAndFormat() {
    var pool: CVPixelBufferPool?
    let attributes: CFDictionary = [kCVPixelBufferWidthKey: 32]
    // UNSAFE: an out parameter of this frame.
    #expect(unsafe CVPixelBufferPoolCreate(nil, nil, attributes, &pool) == kCVReturnInvalidPoolAttributes)
    #expect(unsafe CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPoolAttributes)
    #expect(pool == nil)
  }
}
