import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestPatterns
import WorkerSupport

/// The worker that waits for a frame, leases it, and holds it most of the time, so that a kill usually hits a lease.
struct LeaserWorker: Codable, Sendable {
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
        if process != ring.session.processID { parent.report(.leased(from: ring.session.processID)) }
        process = ring.session.processID
        usleep(useconds_t.random(in: 0...2000, using: &random))
        let failure = lease.withPayload { payload in
          Self.failure(of: payload, number: lease.stamp.number, &serializer)
        }
        if lease.end(), let failure { parent.report(.broken(failure)) }
      }
    }
  }

  /// The error of a frame's bytes; `nil` for a whole frame.
  private static func failure(
    of bytes: Span<UInt8>, number: UInt64, _ serializer: inout PixelBufferSerializer
  ) -> String? {
    do {
      let verdict = ProofVerifier.verify(try serializer.deserialize(bytes))
      return verdict == .whole(frame: UInt32(truncatingIfNeeded: number))
        ? nil : "leased as frame \(number): \(verdict)"
    } catch {
      return "leased as frame \(number): \(error)"
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
