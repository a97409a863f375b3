import CoreVideo
import Synchronization

/// A frame in a pixel buffer's memory, from drawing until the handler releases its sample. After that the system may reuse
/// the memory, even if the pixel buffer is still retained.
final class DrawnFrame: PixelAccessObserver {
  let memory: ScreenMemory
  private let number: UInt64
  private let owner = Mutex(LeaseReference())

  private struct LeaseReference: Sendable {
    weak var lease: Lease?
  }

  init(in memory: ScreenMemory) {
    self.memory = memory
    number = memory.beginFrame()
  }

  func willLock(byHardware: Bool) { memory.willLock(number, byHardware: byHardware) }

  func willWrite() { memory.willWrite(number) }

  func didUnlock() { memory.didUnlock(number) }

  func wasAccessedUnlocked() { memory.wasAccessedUnlocked(number) }

  func wasUnlockedWithoutALock() { memory.wasUnlockedWithoutALock() }

  func wasUnlockedWithOtherFlags() { memory.wasUnlockedWithOtherFlags() }

  func wasReleased() { memory.release(number, isPixelBufferRetained: false) }

  var pictureOwner: (any AnyObject & Sendable)? { owner.withLock(\.lease) }

  /// Returns an object that releases the frame when it is deallocated. The last sample of the frame retains it, and so does
  /// hardware that reads the frame.
  func lease() -> Lease {
    let lease = Lease(self)
    owner.withLock { $0.lease = lease }
    return lease
  }

  final class Lease: Sendable {
    private let frame: DrawnFrame

    fileprivate init(_ frame: DrawnFrame) { self.frame = frame }

    deinit { frame.memory.release(frame.number, isPixelBufferRetained: true) }
  }
}
