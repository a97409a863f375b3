import Foundation
import TestSupport

@testable import SharedMemory

/// A ring file under a test's control: the bytes of a good one, to be bent.
struct HostileRing {
  static let slotCount = 3
  let folder: TemporaryFolder
  let path: String
  var bytes: [UInt8]
  let layout = RingLayout(slotCount: slotCount, payloadCapacity: 1000)

  /// A ring of three slots in which frames 1 and 2 were published, the newest in slot 2.
  init() throws {
    folder = try TemporaryFolder()
    path = folder("frames.ring")
    let writer = try FrameRingWriter(at: folder("good.ring"), slots: Self.slotCount)
    try writer.publish(repeating: 1)
    try writer.publish(repeating: 2)
    bytes = try PlainFile.read(folder("good.ring"), limit: 1 << 20)
  }

  mutating func set<Number: FixedWidthInteger>(_ offset: Int, to number: Number) {
    for index in 0..<MemoryLayout<Number>.size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: number >> Number(index * 8))
    }
  }

  /// Writes the bytes and reads the newest frame from them.
  func read() throws(RingError) -> Frame? {
    do { try PlainFile.replace(path, with: bytes) } catch { throw .storage(error) }
    let reader = try FrameRingReader(path: path)
    let frame = try reader.nextFrame()
    // Whatever the header says of the session is only looked at.
    _ = (reader.state, reader.sessionError, reader.framesPublished, reader.framesDropped)
    return frame
  }

  /// The error of ``read()``; `nil` when it reads.
  func fault() -> RingError? {
    do throws(RingError) { _ = try read() } catch { return error }
    return nil
  }
}
