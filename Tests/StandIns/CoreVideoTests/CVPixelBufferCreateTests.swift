import CoreVideo
import PixelAccess
import Testing

@Suite struct CVPixelBufferCreateTests {
  @Test(arguments: [(1170, 1216), (1440, 1472), (750, 768), (64, 64), (1, 64)])
  func rowsStartAt64Bytes(width: Int, bytesPerRow: Int) throws {
    let buffer = try #require(makeBuffer(width: width, height: 2).buffer)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) == bytesPerRow)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) % 64 == 0)
  }

  // The values are from public logs of an iPhone X's broadcast and of a camera.
  @Test(arguments: [(886, 1918, 1348), (640, 480, 964)])
  func theRowOfAPlanarBufferCoversAllPlanes(width: Int, height: Int, bytesPerRow: Int) throws {
    let buffer = try #require(makeBuffer(width: width, height: height).buffer)
    #expect(CVPixelBufferGetBytesPerRow(buffer) == bytesPerRow)
  }

  // Code for iOS reads it like this: the base address points to a descriptor with big-endian numbers, not to the first pixel.
  @Test func theBaseAddressOfPlanesIsADescriptor() throws {
    let buffer = try #require(makeBuffer(width: 886, height: 6).buffer)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    // UNSAFE: addresses of the locked buffer, within its memory.
    let base = try unsafe #require(unsafe CVPixelBufferGetBaseAddress(buffer))
    let info = unsafe base.load(as: CVPlanarPixelBufferInfo_YCbCrBiPlanar.self)
    for (plane, place) in [info.componentInfoY, info.componentInfoCbCr].enumerated() {
      let address = unsafe base + Int(Int32(bigEndian: place.offset))
      #expect(unsafe address == CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
      #expect(Int(UInt32(bigEndian: place.rowBytes)) == CVPixelBufferGetBytesPerRowOfPlane(buffer, plane))
    }
    #expect(unsafe base != CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
    let end = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 1)! + 3 * 896
    #expect(unsafe end <= base + CVPixelBufferGetDataSize(buffer))
  }

  @Test func thereAreNoExtendedPixels() throws {
    let buffer = try #require(makeBuffer(width: 886, height: 6).buffer)
    var (left, right, top, bottom) = (9, 9, 9, 9)
    // UNSAFE: the out parameters are local variables.
    unsafe CVPixelBufferGetExtendedPixels(buffer, &left, &right, &top, &bottom)
    #expect(left == 0 && right == 0 && top == 0 && bottom == 0)
  }

  @Test func rowsHaveTheRequestedAlignment() throws {
    let buffer = try #require(
      makeBuffer(width: 70, height: 2, attributes: [kCVPixelBufferBytesPerRowAlignmentKey: 16]).buffer)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) == 80)
  }

  @Test(arguments: [(7, 5, 4, 3), (8, 6, 4, 3), (1, 1, 1, 1)])
  func chromaOfOddSizesIsRoundedUp(width: Int, height: Int, chromaWidth: Int, chromaHeight: Int) throws {
    let buffer = try #require(makeBuffer(width: width, height: height).buffer)
    #expect(CVPixelBufferGetPlaneCount(buffer) == 2)
    #expect(buffer.planeShape(0) == PlaneShape(width: width, height: height, bytesPerRow: 64))
    #expect(buffer.planeShape(1) == PlaneShape(width: chromaWidth, height: chromaHeight, bytesPerRow: 64))
    let needed = 64 * (height + chromaHeight)
    #expect(CVPixelBufferGetDataSize(buffer) == CVPixelBufferGetBytesPerRow(buffer) * height)
    #expect(CVPixelBufferGetDataSize(buffer) > needed)
  }

  @Test func aBufferWithoutPlanesHasOneAddress() throws {
    let buffer = try #require(makeBuffer(width: 10, height: 3, format: kCVPixelFormatType_32BGRA).buffer)
    #expect(!CVPixelBufferIsPlanar(buffer))
    #expect(CVPixelBufferGetPlaneCount(buffer) == 0)
    #expect(CVPixelBufferGetBytesPerRow(buffer) == 64)
    #expect(CVPixelBufferGetDataSize(buffer) == 192)
  }

  @Test func newPixelsAreZero() throws {
    let buffer = try #require(makeBuffer(width: 9, height: 9).buffer)
    for plane in 0..<2 {
      let sum = buffer.readPlane(plane) { bytes, _ in bytes.indices.reduce(0) { $0 + Int(bytes[$1]) } }
      #expect(sum == 0)
    }
  }

  @Test(arguments: [(0, 4), (4, 0), (-1, 4), (16_385, 4), (4, Int.max)])
  func sizesOutOfRangeAreRefused(width: Int, height: Int) {
    #expect(makeBuffer(width: width, height: height).code == kCVReturnInvalidSize)
  }

  @Test func unsupportedFormatsAreRefused() {
    let tenBit = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    #expect(makeBuffer(width: 4, height: 4, format: tenBit).code == kCVReturnInvalidPixelFormat)
  }

  @Test(arguments: [0, -64, 48, 8192]) func impossibleAlignmentsAreRefused(alignment: Int) {
    let attributes: CFDictionary = [kCVPixelBufferBytesPerRowAlignmentKey: alignment]
    #expect(
      makeBuffer(width: 4, height: 4, attributes: attributes).code == kCVReturnInvalidPixelBufferAttributes)
  }
}
