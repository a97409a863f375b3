import PixelAccess
import ReplayKit
import TestSupport

@testable import EmulatedSystem

/// Tests that every misuse of the system's pixel buffers is reported, and no correct use.
@MainActor @Suite struct HandlerMisuseTests {
  let misuses = Recorder<HandlerMisuse>()
  let screen: EmulatedScreen

  init() throws {
    let misuses = misuses
    screen = try EmulatedScreen(content: ScriptedContent().content, pixelFormat: fullRange) {
      misuses.add($0)
    }
  }

  /// Delivers one sample to `handle`. If `andReuse` is true, it then draws into every free buffer once.
  private func deliver(andReuse: Bool = false, _ handle: (CMSampleBuffer, CVPixelBuffer) -> Void) throws {
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

  /// The steps of a handler, and the misuses among them. `write` locks are without the flag for reading only.
  @Test(
    arguments: [
      ("lock read lock unlock read unlock", []), ("lock write-lock unlock write-unlock", []),
      ("read", [.unlocked]),
      ("lock write-unlock", [.lockFlags]), ("write-lock unlock", [.lockFlags]),
      ("lock unlock unlock", [.unlockedTwice]), ("lock", [.leftLocked]),
    ] as [(String, [HandlerMisuse])])
  func eachMisuseAmongTheStepsIsReported(steps: String, expected: [HandlerMisuse]) throws {
    try deliver(andReuse: expected.isEmpty) { _, pixels in
      for step in steps.split(separator: " ") {
        switch step {
        case "lock": CVPixelBufferLockBaseAddress(pixels, .readOnly)
        case "write-lock": CVPixelBufferLockBaseAddress(pixels, [])
        case "unlock": CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
        case "write-unlock": #expect(CVPixelBufferUnlockBaseAddress(pixels, []) == kCVReturnSuccess)
        default: #expect(firstByte(of: pixels) == 1)
        }
      }
    }
    #expect(misuses.values == expected)
  }

  /// A write under a lock for reading. The descriptor of a buffer's planes is written by Core Video.
  @Test(
    arguments: [
      ([.readOnly], true), ([[]], false), ([.readOnly, []], false), ([[], .readOnly], false),
    ] as [([CVPixelBufferLockFlags], Bool)])
  func aWriteUnderAReadOnlyLockIsReported(locks: [CVPixelBufferLockFlags], isMisuse: Bool) throws {
    try deliver(andReuse: true) { _, pixels in
      for flags in locks { CVPixelBufferLockBaseAddress(pixels, flags) }
      // UNSAFE: the misuse that is tested, or a buffer that is locked.
      for _ in 0..<2 {
        unsafe CVPixelBufferGetBaseAddressOfPlane(pixels, 0)?.storeBytes(of: 9, as: UInt8.self)
      }
      #expect(firstByte(of: pixels) == 9)
      for flags in locks.reversed() { CVPixelBufferUnlockBaseAddress(pixels, flags) }
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      #expect(unsafe CVPixelBufferGetBaseAddress(pixels) != nil && firstByte(of: pixels) == 9)
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    #expect(misuses.values == (isMisuse ? [.readOnlyWrite] : []))
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
    // After the call returns, the memory is protected again.
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

  /// An asynchronous handler: another queue still has the sample locked when the call returns.
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
    try deliver { sample, pixels in
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      queue.async {
        CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
        withExtendedLifetime(sample) {}
      }
    }
    queue.sync {}
    #expect(misuses.values.isEmpty)
  }

  @Test func aPixelBufferWithoutItsSampleShowsALaterPicture() throws {
    var kept: CVPixelBuffer?
    try deliver(andReuse: true) { kept = $1 }
    let buffer = try #require(kept)
    buffer.readPlane(0) { bytes, _ in #expect(bytes[0] > 1) }
    #expect(misuses.values == [.afterRelease])
    // Releasing the old pixel buffer does not release the frame that now has the memory.
    kept = nil
    #expect(screen.heldBuffers(at: .zero).count == 0)
  }

  @Test(arguments: [true, false]) func aLockThatOutlivesTheSampleIsReported(isLocked: Bool) throws {
    var kept: CVPixelBuffer?
    try deliver { _, pixels in
      if isLocked { CVPixelBufferLockBaseAddress(pixels, .readOnly) }
      kept = pixels
    }
    #expect(misuses.values == (isLocked ? [.afterRelease] : []))
    #expect(kept.flatMap(firstByte) == 1)
    #expect(misuses.values == [.afterRelease])
    if isLocked, let kept { CVPixelBufferUnlockBaseAddress(kept, .readOnly) }
    #expect(misuses.values == [.afterRelease])
  }

  /// A copy with other times, as handlers keep for an encoder.
  @Test func aCopyOfTheSampleKeepsThePicture() throws {
    var copy: CMSampleBuffer?
    try deliver(andReuse: true) { sample, _ in
      var timing = CMSampleTimingInfo.invalid
      // UNSAFE: parameters in and out are local variables.
      _ = unsafe CMSampleBufferCreateCopyWithNewTiming(
        allocator: kCFAllocatorDefault, sampleBuffer: sample, sampleTimingEntryCount: 1,
        sampleTimingArray: &timing, sampleBufferOut: &copy)
    }
    let pixels = try #require(copy.flatMap { CMSampleBufferGetImageBuffer($0) })
    pixels.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    #expect(misuses.values.isEmpty)
  }

  @Test func aCaptureWithinAnAppKeepsRetainedPictures() throws {
    screen.keepsRetainedPictures = true
    var kept: CVPixelBuffer?
    try deliver(andReuse: true) { kept = $1 }
    try #require(kept).readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    #expect(misuses.values.isEmpty)
  }

  @Test func readingAHeldBufferWithoutALockIsReported() throws {
    var held: CMSampleBuffer?
    try deliver { sample, _ in held = sample }
    #expect(held.flatMap { CMSampleBufferGetImageBuffer($0) }.flatMap(firstByte) == 1)
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
    // A reference to the pixels alone does not hold a buffer.
    let pixels = CMSampleBufferGetImageBuffer(held.removeFirst())
    #expect(try screen.drawFrame(8, at: 0, offer: offer) == .drawn)
    withExtendedLifetime(pixels) {}
    // If all buffers are held, the screen may add one until the handler has released it.
    #expect(try screen.drawFrame(9, at: 0, offer: offer) == nil)
    #expect(try screen.drawFrame(9, at: 0, mayAdd: true, offer: offer) == .drawn)
    #expect(screen.heldBuffers(at: now).count == 8)
    held.removeAll()
    for frame in 10...30 as ClosedRange<UInt64> {
      #expect(try screen.drawFrame(frame, at: 0) { _, _ in true } == .drawn)
    }
    #expect(screen.heldBuffers(at: now).count == 0)
    #expect(misuses.values.isEmpty)
  }

  /// The pixels of the first plane, as a handler copies them.
  private func copy(_ buffer: CVPixelBuffer) -> [UInt8] {
    // UNSAFE: the bytes of a buffer that the caller has locked.
    let base = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0)
    let count = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) * CVPixelBufferGetHeightOfPlane(buffer, 0)
    return unsafe Array(UnsafeRawBufferPointer(start: base, count: count))
  }

  @Test func anOverlapChangesPixelsWhileTheHandlerReadsThem() throws {
    screen.overlaps.remaining = 1
    var last: [UInt8] = []
    try deliver { _, pixels in
      // Nothing is overwritten before the lock. After the lock, even the first copy may contain parts of the next frame.
      #expect(screen.overlaps.remaining == 1)
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      _ = holds {
        last = copy(pixels)
        return last.contains(2)
      }
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    #expect(last.contains(1) && last.contains(2))
    #expect(screen.overlaps.remaining == 0)
    try deliver { _, pixels in pixels.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) } }
    #expect(misuses.values.isEmpty)
  }

  @Test func anOverlapTakesNoBufferOfTheScreen() throws {
    screen.overlaps.remaining = 100
    var samples: [CMSampleBuffer] = []
    for frame in 1...UInt64(EmulatedScreen.bufferCount) {
      let drawing = try screen.drawFrame(frame, at: .zero) { sample, _ in
        samples.append(sample)
        return true
      }
      #expect(drawing == .drawn)
    }
    #expect(try screen.drawFrame(8, at: .zero) { _, _ in true } == nil)
    #expect(misuses.values.isEmpty)
  }

  @Test func theSystemDoesNotDrawOverWhatHardwareStillReads() throws {
    var pixels: CVPixelBuffer?
    var owner: AnyObject?
    try deliver(andReuse: true) { (pixels, owner) = ($1, $1.pictureOwner) }
    let kept = try #require(pixels)
    #expect(owner != nil)
    kept.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    #expect(misuses.values.isEmpty)
    owner = nil
    #expect(kept.pictureOwner == nil)
    kept.readPlane(0) { _, _ in }
    #expect(misuses.values == [.afterRelease])
  }

  /// Uses that are safe on devices: reads by hardware, a held sample that is read after the call, and a held earlier sample.
  @Test(arguments: ["hardware", "after", "earlier"]) func anOverlapSparesWhatIsSafe(reader: String) throws {
    var held: [CMSampleBuffer] = []
    if reader == "earlier" { try deliver { sample, _ in held.append(sample) } }
    screen.overlaps.remaining = 1
    try deliver { sample, pixels in
      switch reader {
      case "hardware":
        pixels.lockForHardware()
        #expect(copy(pixels).allSatisfy { $0 == 1 })
        CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
      case "after": held.append(sample)
      default: pixels.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
      }
    }
    if reader == "after" {
      CMSampleBufferGetImageBuffer(held[0])?.readPlane(0) { bytes, _ in #expect(bytes[0] == 1) }
    }
    // Nothing was overwritten, so the overwrite of the next frame is still due.
    #expect(screen.overlaps.remaining == 1)
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
