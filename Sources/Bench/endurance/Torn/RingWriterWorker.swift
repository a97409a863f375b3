import CommandLineSupport
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import ToolSupport

/// The worker that publishes frames in a ring as fast as it can.
struct RingWriterWorker: Worker {
  var path: String
  /// The size of the frames of the proof pattern; `nil` for frames of a few words.
  var size: PixelSize?
  var slotCount: Int

  func run(for parent: ParentProcess<TornTally>) throws {
    let capacity = size.map { PixelBufferSerializer.serializedSize(width: $0.width, height: $0.height) }
    let ring = try FrameRingWriter(
      path: path, slotCount: slotCount, payloadCapacity: capacity ?? NumberedWords.capacity)
    var frames = ProofFrames()
    parent.reportReady()
    while parent.wantsMore {
      for _ in 0..<(size == nil ? 10_000 : 1) {
        let number = ring.framesPublished + 1
        let frame = try size.map { try frames.frame($0, number: number) }
        let header = try frame.map(PixelBufferSerializer.Header.init(of:))
        try ring.publish(
          byteCount: header?.byteCount ?? NumberedWords.byteCount(of: number),
          captureTime: MonotonicTime(nanoseconds: number), orientation: 1
        ) { slot in
          if let frame, let header {
            header.write(frame, into: &slot)
          } else {
            NumberedWords.write(number, into: &slot)
          }
        }
      }
    }
  }
}
