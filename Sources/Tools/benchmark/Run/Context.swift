import CommandLineSupport
import Platform
import SharedMemory

/// What the measurements of one picture size share. Files are few and shared too: some machines have little
/// room for files in memory.
final class Context {
  /// The slots of the rings, and of what stands beside them.
  static let slotCount = 3

  let size: PixelSize
  let pace: Pace
  let picture: Picture
  /// Where the files are.
  let folder: String
  /// The two cores a pair of processes is kept on; `nil` when this process may use one only.
  let cores: CorePair?
  /// Three slots without a ring around them.
  let slots: SharedBytes
  /// A ring whose slots all hold the picture.
  let writer: FrameRingWriter

  init(size: PixelSize, pace: Pace, folder: String, cores: CorePair?) throws {
    self.size = size
    self.pace = pace
    self.folder = folder
    self.cores = cores
    picture = try Picture(size)
    slots = try SharedBytes(
      path: "\(folder)/\(size)-slots", count: Self.slotCount * picture.slotStride, creates: true)
    writer = try FrameRingWriter(
      path: "\(folder)/\(size)-ring", slotCount: Self.slotCount, payloadCapacity: picture.byteCount)
    for slot in 0..<Self.slotCount {
      // UNSAFE: each slot has room for the picture's bytes.
      unsafe picture.copy(to: slots.base + slot * picture.slotStride)
      try writer.publish(
        byteCount: picture.byteCount, captureTime: .zero, orientation: 1, clock: FixedClock(),
        picture.copy(to:))
    }
  }

  /// The path of a file of this run and size.
  func path(_ name: String) -> String { "\(folder)/\(size)-\(name)" }

  /// Publishes the bytes that are in the next slot already.
  @inline(__always)
  func publishEmpty() throws {
    try writer.publish(byteCount: picture.byteCount, captureTime: .zero, orientation: 1, clock: FixedClock())
    { _ in }
  }
}

extension Picture {
  /// The bytes from one slot to the next where there is no ring: whole pages.
  var slotStride: Int { (byteCount + 4095) / 4096 * 4096 }
}
