import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import WorkerSupport

/// The worker that waits for a frame, leases it, and holds it most of the time, so that a kill usually hits a lease.
struct LeaserWorker: Worker {
  /// The root of the container.
  var root: String
  var group: String
  /// The seed of the times for which frames are held.
  var seed: UInt64

  func run(for parent: ParentProcess) throws {
    let path = try AppGroupContainer(root: root, group: group).framesFile
    var random = SeededGenerator(seed: seed, stream: 8)
    var serializer = PixelBufferSerializer()
    var process: Int32?
    parent.report(.ready)
    while parent.wantsMore {
      guard let ring = try Self.open(path) else {
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
