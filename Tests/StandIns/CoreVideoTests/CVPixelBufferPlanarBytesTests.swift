import CoreVideo
import PixelAccess
import Testing

@Suite struct CVPixelBufferPlanarBytesTests {
  /// Memory for a buffer, and the calls of the buffer's release callback.
  @safe private final class Lender {
    let memory: UnsafeMutableRawPointer
    var releases = 0
    var secondPlane: UnsafeRawPointer?

    init() {
      // UNSAFE: freed in deinit. In each test that is after the release of the buffer.
      unsafe memory = .allocate(byteCount: 96, alignment: 16)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 7, count: 96)
    }

    deinit { unsafe memory.deallocate() }
  }

  private func lend(
    _ lender: Lender, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: Int = 8,
    planes: Int = 2, rows: [Int] = [4, 2], bytesPerRow: [Int] = [16, 16], secondPlane: Int? = 64
  ) -> (code: CVReturn, buffer: CVPixelBuffer?) {
    var buffer: CVPixelBuffer?
    // UNSAFE: addresses within the lender's 96 bytes; the lender outlives the buffer in every test.
    var bases = unsafe [
      UnsafeMutableRawPointer?.some(lender.memory), secondPlane.map { unsafe lender.memory + $0 },
    ]
    var (widths, heights, strides) = ([8, 4], rows, bytesPerRow)
    let code = unsafe CVPixelBufferCreateWithPlanarBytes(
      kCFAllocatorDefault, width, 4, format, lender.memory, 96, planes, &bases, &widths, &heights, &strides,
      { reference, _, _, _, planes in
        guard let reference = unsafe reference else { return }
        let lender = unsafe Unmanaged<Lender>.fromOpaque(reference).takeUnretainedValue()
        lender.releases += 1
        unsafe lender.secondPlane = planes?[1]
      }, Unmanaged.passUnretained(lender).toOpaque(), nil, &buffer)
    return (code, buffer)
  }

  @Test func theCallersBytesAreUsedInPlaceAndReleasedOnce() throws {
    let lender = Lender()
    var (code, buffer) = lend(lender)
    #expect(code == kCVReturnSuccess)
    do {
      let pixels = try #require(buffer)
      #expect(pixels.planeShape(1) == PlaneShape(width: 4, height: 2, bytesPerRow: 16))
      pixels.writePlane(1) { bytes, _ in bytes[31] = 99 }
      // UNSAFE: the last of the lender's 96 bytes.
      #expect(unsafe (lender.memory.load(fromByteOffset: 95, as: UInt8.self), lender.releases) == (99, 0))
    }
    buffer = nil
    #expect(unsafe (lender.releases, lender.secondPlane) == (1, UnsafeRawPointer(lender.memory + 64)))
  }

  @Test func aSecondReferenceKeepsTheBytes() throws {
    let lender = Lender()
    var first = lend(lender).buffer
    var second = first
    first = nil
    #expect(second != nil)
    #expect(lender.releases == 0)
    second = nil
    #expect(lender.releases == 1)
  }

  @Test func impossiblePlanesAreRefusedWithoutARelease() {
    let lender = Lender()
    #expect(lend(lender, format: kCVPixelFormatType_32BGRA).code == kCVReturnInvalidPixelFormat)
    #expect(lend(lender, width: 0).code == kCVReturnInvalidSize)
    let others = [
      lend(lender, planes: 1), lend(lender, secondPlane: nil), lend(lender, bytesPerRow: [16, 7]),
      lend(lender, rows: [4, -1]), lend(lender, rows: [4, Int.max / 8]),
    ]
    #expect(others.allSatisfy { $0.code == kCVReturnInvalidArgument } && lender.releases == 0)
  }
}
