import Foundation
import Platform
import SharedMemory
import Synchronization
import TestSupport

/// A writer on a thread of its own, publishing as fast as it can frames whose every byte is the low byte of the
/// frame's number.
final class BackgroundWriter: Sendable {
  private let mustStop = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  init(path: String, slotCount: Int, byteCount: Int) {
    Thread.detachNewThread { [self] in
      defer { hasStopped.signal() }
      do {
        let ring = try FrameRingWriter(
          path: path, slotCount: slotCount, payloadCapacity: byteCount, startTime: 7)
        while !mustStop.load(ordering: .relaxed) {
          let byte = UInt8(truncatingIfNeeded: ring.framesPublished + 1)
          try ring.publish(repeating: byte, byteCount: byteCount, clock: SystemClock())
        }
        try ring.finish()
      } catch {
        fatalError("the writer failed: \(error)")
      }
    }
  }

  func stop() {
    mustStop.store(true, ordering: .relaxed)
    hasStopped.wait()
  }
}
