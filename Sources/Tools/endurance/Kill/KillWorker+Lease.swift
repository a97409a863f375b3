import Foundation
import Platform
import Programs
import ScreenBroadcast
import SharedMemory

extension KillWorker {
  /// Waits for a frame, leases it, and holds it most of the time, so that a kill usually hits a lease.
  func lease(in container: AppGroupContainer, for parent: ParentProcess) throws {
    var random = SeededGenerator(seed: seed, stream: 8)
    var serializer = PixelBufferSerializer()
    var process: Int32?
    parent.report(.ready)
    while parent.wantsMore {
      guard let ring = try Self.open(container.framesFile) else {
        usleep(100)
        continue
      }
      while parent.wantsMore, try ring.isCurrent() {
        ring.wait(until: SystemClock().now + .milliseconds(2))
        guard let lease = try ring.lease() else { continue }
        if process != ring.session.processID { parent.report(.frame(from: ring.session.processID)) }
        process = ring.session.processID
        random.sleep(upTo: .milliseconds(2))
        let fault = lease.withPayload {
          ProofFrames.fault(in: $0, number: lease.stamp.number, &serializer)
        }
        if lease.end(), let fault { throw CheckFailure("leased as \(fault)") }
      }
    }
  }

  /// A registered reader of the ring; `nil` if there is no ring.
  private static func open(_ path: String) throws(RingError) -> FrameRingReader? {
    do { return try FrameRingReader(path: path, registers: true) } catch {
      if case .storage(let storage) = error, storage.isMissing { return nil }
      throw error
    }
  }
}
