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
  let folder: String
  /// The cores for the two ends of a transport; `nil` if there is only one.
  let cores: (sender: Int, receiver: Int)?
  let picture: Picture
  /// Slots without a ring, all of which contain the frame.
  let slots: BareMapping
  /// A ring whose slots all contain the frame.
  let writer: FrameRingWriter

  init(size: PixelSize, pace: Pace, folder: String, cores: [Int]) throws {
    self.size = size
    self.pace = pace
    self.folder = folder
    self.cores = cores.count < 2 ? nil : (cores[0], cores[1])
    picture = try Picture(size)
    slots = try BareMapping(
      path: "\(folder)/slots", slotCount: Self.slotCount, slotByteCount: picture.byteCount, creates: true)
    writer = try FrameRingWriter(
      path: "\(folder)/ring", slotCount: Self.slotCount, payloadCapacity: picture.byteCount)
    for slot in 0..<Self.slotCount {
      // UNSAFE: each slot has room for the picture's bytes.
      unsafe picture.copy(to: slots.slot(slot))
      try writer.publish(byteCount: picture.byteCount, clock: FixedClock(), picture.copy(to:))
    }
  }

  /// Publishes the bytes that are already in the next slot.
  @inline(__always)
  func publishEmpty() throws {
    try writer.publish(byteCount: picture.byteCount, clock: FixedClock()) { _ in }
  }
}

extension FrameRingWriter {
  /// Publishes an upright frame without a capture time.
  @inline(__always)
  func publish<Time: MonotonicClock>(
    byteCount: Int, clock: Time = SystemClock(), _ fill: (inout MutableSpan<UInt8>) -> Void
  ) throws(FileError) {
    try publish(byteCount: byteCount, captureTime: .zero, orientation: 1, clock: clock, fill)
  }
}

/// A clock that always returns one instant, without the cost of the system's clock.
struct FixedClock: MonotonicClock {
  let now = MonotonicTime(nanoseconds: 1)
  let minimumResolution = Duration.nanoseconds(1)

  func wait(until deadline: MonotonicTime) {}
  func sleep(until deadline: MonotonicTime, tolerance: Duration?) {}
}

struct Pace: Equatable {
  /// Slices of a loop per round.
  var slices: Int
  var slice: Duration
  /// The time of two processes at full speed.
  var flatOut: Duration
  /// The time of two processes at 60 frames per second.
  var paced: Duration

  /// For accurate figures: a loop runs for 80 ms per round.
  static let thorough = Pace(
    slices: 8, slice: .milliseconds(10), flatOut: .milliseconds(500), paced: .seconds(2))
  /// For a check that everything runs; the figures are not accurate.
  static let quick = Pace(
    slices: 2, slice: .microseconds(500), flatOut: .milliseconds(30), paced: .milliseconds(150))
}
