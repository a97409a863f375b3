import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory

/// The worker that publishes frames in a ring as fast as it can.
struct RingWriterWorker: Codable, Sendable {
  /// The ring file.
  var path: String
  /// The width of the frames in pixels; 0 for frames of a few words.
  var width: Int
  var height: Int
  var slotCount: Int

  /// The longest time a reader may hold a frame: short, so that leases are reclaimed too.
  static let leaseLimit = Duration.milliseconds(4)

  func run(for parent: ParentProcess) throws {
    let capacity =
      width == 0
      ? NumberedWords.capacity : PixelBufferSerializer.serializedSize(width: width, height: height)
    let ring = try FrameRingWriter(
      path: path, slotCount: slotCount, payloadCapacity: capacity, leaseLimit: Self.leaseLimit)
    if width == 0 {
      try publishWords(in: ring, for: parent)
    } else {
      try publishProof(in: ring, for: parent)
    }
  }

  private func publishWords(in ring: FrameRingWriter, for parent: ParentProcess) throws {
    parent.report(.ready)
    while parent.wantsMore {
      for _ in 0..<10_000 {
        let number = ring.framesPublished + 1
        try ring.publish(
          byteCount: NumberedWords.byteCount(of: number),
          captureTime: MonotonicTime(nanoseconds: number), orientation: 1
        ) { slot in NumberedWords.write(number, into: &slot) }
      }
    }
  }

  private func publishProof(in ring: FrameRingWriter, for parent: ParentProcess) throws {
    var frames = ProofFrames()
    parent.report(.ready)
    while parent.wantsMore {
      let number = ring.framesPublished + 1
      let frame = try frames.frame(width: width, height: height, number: number)
      try ring.publish(
        byteCount: try PixelBufferSerializer.serializedSize(of: frame),
        captureTime: MonotonicTime(nanoseconds: number), orientation: 1
      ) { slot throws(PixelBufferSerializer.Failure) in
        try PixelBufferSerializer().serialize(frame, into: &slot)
      }
    }
  }
}
