import CoreVideo
import Testing

// UNSAFE: throughout this suite addresses are compared with `nil`, and nothing is read through them.
@Suite struct CVPixelBufferLockTests {
  @Test func addressesAreAvailableOnlyWhileLocked() throws {
    let buffer = try #require(makeBuffer(width: 8, height: 8).buffer)
    #expect(unsafe CVPixelBufferGetBaseAddress(buffer) == nil)
    #expect(unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 1) == nil)

    #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
    #expect(unsafe CVPixelBufferGetBaseAddress(buffer) != nil)
    #expect(unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 1) != nil)
    #expect(unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil)

    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnSuccess)
    #expect(unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
  }

  @Test func locksNest() throws {
    let buffer = try #require(makeBuffer(width: 8, height: 8).buffer)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(unsafe CVPixelBufferGetBaseAddress(buffer) != nil)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(unsafe CVPixelBufferGetBaseAddress(buffer) == nil)
  }

  @Test func anUnlockWithoutALockIsRefused() throws {
    let buffer = try #require(makeBuffer(width: 8, height: 8).buffer)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
    #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
    #expect(unsafe CVPixelBufferGetBaseAddress(buffer) != nil)
  }
}
