import CoreMedia
import CoreVideo
import Foundation
import PixelAccess
import Platform
import ReplayKit
import TestSupport
import Testing

@testable import EmulatedSystem

/// Every misuse of the system's pixel buffers is reported, and no correct use is.
@MainActor @Suite struct HandlerMisuseTests {
  let misuses = Recorder<HandlerMisuse>()
  let screen: EmulatedScreen

  init() throws {
    let misuses = misuses
    screen = try EmulatedScreen(content: ScriptedContent().content, pixelFormat: fullRange) {
      misuses.add($0)
    }
  }

  /// Delivers one sample to `handle`, and draws into every buffer once more if `andReuse`.
  private func deliver(
    andReuse: Bool = false, _ handle: (CMSampleBuffer, CVPixelBuffer) -> Void
  ) throws {
    let drawing = try screen.drawFrame(1, at: 0) { sample, memory in
      memory.willDeliver()
      CMSampleBufferGetImageBuffer(sample).map { handle(sample, $0) }
      memory.didDeliver()
      return true
    }
    #expect(drawing == .drawn)
    guard andReuse else { return }
    for frame in 2...UInt64(EmulatedScreen.bufferCount + 1) {
      _ = try screen.drawFrame(frame, at: .zero) { _, _ in true }
    }
  }

  private func firstByte(of buffer: CVPixelBuffer) -> UInt8? {
    // UNSAFE: the misuse that is tested, or a buffer that is locked.
    unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0)?.load(as: UInt8.self)
  }

  @Test func lockingReadingAndUnlockingIsCorrect() throws {
    try deliver(andReuse: true) { _, pixels in
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      #expect(firstByte(of: pixels) == 1)
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
      #expect(firstByte(of: pixels) == 1)
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    #expect(misuses.values.isEmpty)
  }

  @Test func readingWithoutALockIsReportedAndSucceeds() throws {
    try deliver { _, pixels in #expect(firstByte(of: pixels) == 1) }
    #expect(misuses.values == [.unlocked])
  }

  @Test func aSystemCallWithAnUnlockedBufferIsReportedAndSucceeds() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    // UNSAFE: the misuse that is tested.
    nonisolated(unsafe) var address: UnsafeMutableRawPointer?
    try deliver { _, pixels in
      unsafe address = CVPixelBufferGetBaseAddressOfPlane(pixels, 0)
      #expect(unsafe write(descriptor, address, 16) == 16)
    }
    #expect(misuses.values == [.unlocked])
    // After the return the memory is protected again.
    #expect(unsafe write(descriptor, address, 16) == -1 && errno == EFAULT)
  }

  @Test func readingThroughAnAddressAfterTheUnlockIsReported() throws {
    try deliver { _, pixels in
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      // UNSAFE: the misuse that is tested.
      let address = unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0)
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
      #expect(unsafe address?.load(as: UInt8.self) == 1)
    }
    #expect(misuses.values == [.unlocked])
  }

  @Test func aMissingUnlockIsReported() throws {
    try deliver { _, pixels in CVPixelBufferLockBaseAddress(pixels, .readOnly) }
    #expect(misuses.values == [.leftLocked])
  }

  @Test func readingABufferAfterTheReturnIsReported() throws {
    var kept: CVPixelBuffer?
    try deliver { kept = $1 }
    #expect(misuses.values.isEmpty)
    let buffer = try #require(kept)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(firstByte(of: buffer) == 1)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(misuses.values == [.afterReturn])
  }

  @Test func aKeptBufferIsReportedAndShowsALaterFrame() throws {
    var kept: CVPixelBuffer?
    try deliver(andReuse: true) { kept = $1 }
    #expect(misuses.values == [.kept])
    let buffer = try #require(kept)
    buffer.readPlane(0) { bytes, _ in #expect(bytes[0] == UInt8(EmulatedScreen.bufferCount + 1)) }
  }

  @Test func aKeptSampleIsReported() throws {
    var kept: CMSampleBuffer?
    try deliver(andReuse: true) { sample, _ in kept = sample }
    #expect(misuses.values == [.kept])
    #expect(kept != nil)
  }

  @Test func readingThroughAnAddressAfterTheReturnIsReportedWithTheNextFrame() throws {
    // UNSAFE: the misuse that is tested.
    nonisolated(unsafe) var address: UnsafeMutableRawPointer?
    try deliver { _, pixels in
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      unsafe address = CVPixelBufferGetBaseAddressOfPlane(pixels, 0)
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    #expect(unsafe address?.load(as: UInt8.self) == 1)
    for frame in 2...UInt64(EmulatedScreen.bufferCount + 1) {
      _ = try screen.drawFrame(frame, at: .zero) { _, _ in true }
    }
    #expect(misuses.values == [.afterReturn])
  }

  @Test func withoutAReceiverOfMisusesTheBuffersAreNotProtected() throws {
    let screen = try EmulatedScreen(content: ScriptedContent().content, pixelFormat: fullRange)
    let drawing = try screen.drawFrame(3, at: 0) { sample, _ in
      CMSampleBufferGetImageBuffer(sample).flatMap(firstByte) == 3
    }
    #expect(drawing == .drawn)
  }
}
