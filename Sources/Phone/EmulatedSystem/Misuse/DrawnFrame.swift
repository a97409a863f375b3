import CoreVideo
import Synchronization

/// One frame in the memory of a pixel buffer, from its drawing until the handler has released its sample. Then the system
/// may draw over it, whoever retains the pixel buffer.
final class DrawnFrame: PixelAccessObserver {
  let memory: ScreenMemory
  private let number: UInt64
  private let owner = Mutex(Owner())

  private struct Owner: Sendable {
    weak var hold: Hold?
  }

  init(in memory: ScreenMemory) {
    self.memory = memory
    number = memory.beginFrame()
  }

  func willLock(byHardware: Bool) { memory.willLock(number, byHardware: byHardware) }

  func didUnlock() { memory.didUnlock(number) }

  func wasAccessedUnlocked() { memory.wasAccessedUnlocked(number) }

  func wasUnlockedWithoutALock() { memory.wasUnlockedWithoutALock() }

  func wasUnlockedWithOtherFlags() { memory.wasUnlockedWithOtherFlags() }

  func wasReleased() { memory.release(number, isPixelBufferRetained: false) }

  var pictureOwner: (any AnyObject & Sendable)? { owner.withLock(\.hold) }

  /// Releases the frame when this object has gone: the last sample of the frame retains it, and hardware that reads it.
  func hold() -> Hold {
    let hold = Hold(self)
    owner.withLock { $0.hold = hold }
    return hold
  }

  final class Hold: Sendable {
    private let frame: DrawnFrame

    fileprivate init(_ frame: DrawnFrame) { self.frame = frame }

    deinit { frame.memory.release(frame.number, isPixelBufferRetained: true) }
  }
}
