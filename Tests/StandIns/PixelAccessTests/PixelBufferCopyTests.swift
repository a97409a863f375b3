import CoreVideo
import PixelAccess
import Testing

@Suite struct PixelBufferCopyTests {
  private func makeBuffer(alignment: Int) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    let attributes: CFDictionary = [kCVPixelBufferBytesPerRowAlignmentKey: alignment]
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(
      kCFAllocatorDefault, 5, 3, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, attributes, &buffer)
    return try #require(buffer)
  }

  private func pixels(_ buffer: CVPixelBuffer) -> [[UInt8]] {
    (0..<2).map { plane in
      buffer.readPlane(plane) { bytes, shape in
        (0..<shape.height).flatMap { row in
          (0..<shape.width * (plane + 1)).map { bytes[row * shape.bytesPerRow + $0] }
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (1, 64), (64, 1), (64, 64)])
  func planesAreCopiedWhateverTheRowAlignments(_ from: Int, _ to: Int) throws {
    let (source, target) = (try makeBuffer(alignment: from), try makeBuffer(alignment: to))
    for plane in 0..<2 {
      source.writePlane(plane) { bytes, shape in
        for row in 0..<shape.height {
          for column in 0..<shape.width * (plane + 1) {
            bytes[row * shape.bytesPerRow + column] = UInt8(100 * plane + 10 * row + column)
          }
        }
      }
    }
    target.copyPlanes(of: source)
    #expect((pixels(target), pixels(source)[0].last) == (pixels(source), 24))
  }

  @Test func theLastRowOfAShortPlaneRepeats() throws {
    let target = try makeBuffer(alignment: 64)
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    target.copyPlanes(
      [
        PlacedPlane(offset: 0, shape: PlaneShape(width: 5, height: 2, bytesPerRow: 5)),
        PlacedPlane(offset: 10, shape: PlaneShape(width: 3, height: 0, bytesPerRow: 6)),
      ], from: bytes.span)
    #expect(pixels(target)[0] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 6, 7, 8, 9, 10])
    #expect(pixels(target)[1].allSatisfy { $0 == 128 })
  }

  @Test func aPoolFollowsTheShapeOfItsRequests() throws {
    var pool = AdaptivePixelBufferPool(shapes: 2)
    // UNSAFE: the address is compared and not read.
    func address(_ width: Int, _ height: Int) throws -> UnsafeMutableRawPointer? {
      let buffer = try pool.makeBuffer(
        width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      #expect((CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)) == (width, height))
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      return unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0)
    }
    // UNSAFE: as above.
    let first = unsafe try address(64, 32)
    _ = unsafe try address(32, 64)
    #expect(unsafe try address(64, 32) == first)
  }
}
