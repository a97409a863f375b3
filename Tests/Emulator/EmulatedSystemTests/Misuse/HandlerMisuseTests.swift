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

  /// Delivers one sample to `handle`, and draws into every free buffer once more if `andReuse`.
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

  /// An asynchronous handler: another queue has the sample locked at the moment at which the call returns.
  @Test(arguments: [true, false]) func aLockOnAnotherQueueIsJudgedAtTheRelease(isBalanced: Bool) async throws
  {
    let (queue, isLocked, mayUnlock) = (
      DispatchQueue(label: "handler"), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    try deliver { sample, _ in
      queue.async {
        guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return }
        CVPixelBufferLockBaseAddress(pixels, .readOnly)
        isLocked.signal()
        mayUnlock.wait()
        if isBalanced { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      }
      isLocked.wait()
    }
    #expect(misuses.values.isEmpty)
    mayUnlock.signal()
    queue.sync {}
    let misuses = misuses
    #expect(await eventually { misuses.values == (isBalanced ? [] : [.leftLocked]) })
  }

  @Test func aLockThatAnotherQueueReleasesIsBalanced() throws {
    let queue = DispatchQueue(label: "handler")
    try deliver { _, pixels in
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      queue.async { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    }
    queue.sync {}
    #expect(misuses.values.isEmpty)
  }

  @Test func aHeldBufferMayBeReadAfterTheReturn() throws {
    var held: CVPixelBuffer?
    try deliver(andReuse: true) { held = $1 }
    let buffer = try #require(held)
    buffer.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    held = nil
    #expect(misuses.values.isEmpty)
  }

  @Test func readingAHeldBufferWithoutALockIsReported() throws {
    var held: CVPixelBuffer?
    try deliver { held = $1 }
    #expect(held.flatMap(firstByte) == 1)
    #expect(misuses.values == [.unlocked])
  }

  @Test func aHeldSampleKeepsItsPictureWhileTheOtherBuffersAreUsed() throws {
    var held: CMSampleBuffer?
    try deliver(andReuse: true) { sample, _ in held = sample }
    for frame in 20...30 { #expect(try screen.drawFrame(UInt64(frame), at: 0) { _, _ in true } == .drawn) }
    let pixels = try #require(held.flatMap { CMSampleBufferGetImageBuffer($0) })
    pixels.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    #expect(misuses.values.isEmpty)
  }

  @Test func aHandlerThatHoldsAllBuffersGetsNoFrameUntilItReleasesOne() throws {
    var held: [CMSampleBuffer] = []
    func offer(_ sample: CMSampleBuffer, _ memory: ScreenMemory) -> Bool {
      memory.willDeliver()
      held.append(sample)
      memory.didDeliver()
      return true
    }
    for frame in 1...EmulatedScreen.bufferCount {
      let time = MonotonicTime.zero + .milliseconds(20 * frame)
      #expect(try screen.drawFrame(UInt64(frame), at: time, offer: offer) == .drawn)
    }
    #expect(try screen.drawFrame(8, at: 0, offer: offer) == nil)
    let now = MonotonicTime.zero + .seconds(1)
    #expect(screen.heldBuffers(at: now) == HeldBuffers(count: 7, longest: .milliseconds(980)))
    // A reference to the pixels alone holds the buffer too.
    var pixels = CMSampleBufferGetImageBuffer(held.removeFirst())
    #expect(try screen.drawFrame(8, at: 0, offer: offer) == nil)
    #expect(pixels != nil)
    pixels = nil
    #expect(try screen.drawFrame(8, at: 0, offer: offer) == .drawn)
    #expect(misuses.values.isEmpty)
  }

  /// The first bytes of the first and the last row.
  private func ends(of buffer: CVPixelBuffer) -> [UInt8] {
    buffer.readPlane(0) { bytes, shape in [bytes[0], bytes[bytes.count - shape.bytesPerRow]] }
  }

  @Test func anOverlapDrawsTheNextFrameOverALockedOne() throws {
    screen.overlaps = 1
    var seen: [[UInt8]] = []
    for frame in 1...2 as ClosedRange<UInt64> {
      _ = try screen.drawFrame(frame, at: 0) { sample, memory in
        memory.willDeliver()
        if let pixels = CMSampleBufferGetImageBuffer(sample) { seen.append(ends(of: pixels)) }
        memory.didDeliver()
        return true
      }
    }
    #expect(seen == [[2, 1], [2, 2]])
    #expect(screen.overlaps == 0)
  }

  @Test func anOverlapContinuesWhileTheFrameIsLocked() async throws {
    // The first byte of each quarter.
    func quarters(of buffer: CVPixelBuffer) -> [UInt8] {
      buffer.withPlane(0) { bytes, shape in
        (0..<4).map { bytes[$0 * (shape.height / 4) * shape.bytesPerRow] }
      }
    }
    screen.overlaps = 1
    var held: CVPixelBuffer?
    try deliver { held = $1 }
    let buffer = try #require(held)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(quarters(of: buffer)[2...] == [1, 1])
    #expect(await eventually { quarters(of: buffer) == [2, 2, 1, 1] })
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(misuses.values.isEmpty)
  }

  @Test func anOverlapChangesAHeldSampleAtItsNextLock() throws {
    screen.overlaps = 1
    var held: CVPixelBuffer?
    try deliver { held = $1 }
    let buffer = try #require(held)
    #expect(ends(of: buffer) == [2, 1])
    #expect(misuses.values.isEmpty)
  }

  @Test func readingThroughAnAddressAfterTheReleaseIsReportedWithTheNextFrame() throws {
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
    #expect(misuses.values == [.afterRelease])
  }

  @Test func withoutAReceiverOfMisusesTheBuffersAreNotProtected() throws {
    let screen = try EmulatedScreen(content: ScriptedContent().content, pixelFormat: fullRange)
    let drawing = try screen.drawFrame(3, at: 0) { sample, _ in
      CMSampleBufferGetImageBuffer(sample).flatMap(firstByte) == 3
    }
    #expect(drawing == .drawn)
  }
}
