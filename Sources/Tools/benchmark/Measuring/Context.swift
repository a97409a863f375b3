import CommandLineSupport
import Platform
import SharedMemory

/// What the measurements of one frame size share. They share their files too, because some machines have little
/// space in a memory file system.
final class Context {
  /// The slots of the rings and of their references.
  static let slotCount = 3

  let size: PixelSize
  let pace: Pace
  let picture: Picture
  let folder: String
  /// The two cores for a pair of processes; `nil` if this process may use only one.
  let cores: CorePair?
  /// Three slots without a ring.
  let slots: SharedBytes
  /// A ring whose slots all contain the frame.
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

  /// The path of a file for this run and size.
  func path(_ name: String) -> String { "\(folder)/\(size)-\(name)" }

  /// Publishes the bytes that are already in the next slot.
  @inline(__always)
  func publishEmpty() throws {
    try writer.publish(byteCount: picture.byteCount, captureTime: .zero, orientation: 1, clock: FixedClock())
    { _ in }
  }
}

extension Picture {
  /// The distance of two slots without a ring: whole pages.
  var slotStride: Int { (byteCount + 4095) / 4096 * 4096 }
}
