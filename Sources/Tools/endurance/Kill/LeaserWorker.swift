import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import TestPatterns

/// The worker that sleeps until a frame comes, leases it, and holds it for most of its time: who kills it mostly
/// kills it inside a lease.
struct LeaserWorker: Codable, Sendable {
  /// The root of the container.
  var root: String
  /// The app group.
  var group: String
  /// What it follows from for how long frames are held.
  var seed: UInt64

  /// Leases until the parent has enough.
  func run(for parent: ParentProcess) throws {
    let path = try AppGroupContainer(root: root, group: group).framesFile
    var random = SeededGenerator(seed: seed, stream: 8)
    var serializer = PixelBufferSerializer()
    var process: Int32?
    parent.tell(.ready)
    while parent.wantsMore {
      guard let ring = try Self.open(path) else {
        usleep(100)
        continue
      }
      while parent.wantsMore, try ring.isCurrent() {
        ring.wait(until: SystemClock().now + .milliseconds(2))
        guard let lease = try ring.lease() else { continue }
        if process != ring.session.processID { parent.tell(.leased(from: ring.session.processID)) }
        process = ring.session.processID
        usleep(useconds_t.random(in: 0...2000, using: &random))
        let complaint = lease.withPayload { payload in
          Self.complaint(about: payload, of: lease.stamp.number, &serializer)
        }
        if lease.end(), let complaint { parent.tell(.broken(complaint)) }
      }
    }
  }

  /// What is wrong with the bytes of a frame.
  private static func complaint(
    about bytes: Span<UInt8>, of number: UInt64, _ serializer: inout PixelBufferSerializer
  ) -> String? {
    do {
      let verdict = ProofVerifier.verify(try serializer.deserialize(bytes))
      return verdict == .whole(frame: UInt32(truncatingIfNeeded: number))
        ? nil : "leased as frame \(number): \(verdict)"
    } catch {
      return "leased as frame \(number): \(error)"
    }
  }

  /// The ring at a path, registered; `nil` when there is none now.
  private static func open(_ path: String) throws(RingError) -> FrameRingReader? {
    do { return try FrameRingReader(path: path, registers: true) } catch {
      if case .storage(let storage) = error, storage.isMissing { return nil }
      throw error
    }
  }
}
