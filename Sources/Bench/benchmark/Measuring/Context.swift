import Glibc
import Platform
import ScreenBroadcast
import SharedMemory
import ToolSupport

/// The resources that the measurements of one frame size share. They share their files too, because some hosts have little
/// space in a memory file system.
@safe
final class Context {
  /// The number of slots of the rings and of their references.
  static let slotCount = BroadcastConfiguration.standardSlotCount

  let size: PixelSize
  let pace: Pace
  let folder: String
  /// The cores that this process may use.
  let cores: [Int]
  /// The byte count of a serialized frame.
  let byteCount: Int
  // UNSAFE: owned by this object, on a page boundary, for `byteCount` bytes.
  /// The bytes of the serialized frame.
  let bytes: UnsafeMutableRawPointer
  /// Slots without a ring, all of which contain the frame.
  let slots: BareMapping
  /// A ring whose slots all contain the frame.
  let writer: FrameRingWriter

  init(size: PixelSize, pace: Pace, folder: String, cores: [Int]) throws {
    self.size = size
    self.pace = pace
    self.folder = folder
    self.cores = cores
    var frames = ProofFrames()
    let frame = try frames.frame(size)
    let header = try PixelBufferSerializer.Header(of: frame)
    byteCount = header.byteCount
    // UNSAFE: new memory that this object owns and deinit frees.
    unsafe bytes = .allocate(byteCount: byteCount, alignment: 4096)
    slots = try BareMapping(
      path: "\(folder)/slots", slotCount: Self.slotCount, slotByteCount: byteCount, creates: true)
    writer = try FrameRingWriter(
      path: "\(folder)/ring", slotCount: Self.slotCount, payloadCapacity: byteCount)
    for _ in 0..<Self.slotCount {
      try writer.publish(byteCount: byteCount, clock: FixedClock()) { header.write(frame, into: &$0) }
    }
    try FrameRingReader(path: writer.path).next { _, payload in
      // UNSAFE: the buffers have room for the frame's bytes, which the payload contains.
      unsafe payload.withUnsafeBytes { payload in
        guard let frame = payload.baseAddress else { return }
        for slot in 0..<Self.slotCount { unsafe memcpy(slots.slot(slot), frame, byteCount) }
        unsafe memcpy(bytes, frame, byteCount)
      }
    }
  }

  deinit { unsafe bytes.deallocate() }

  /// Copies the frame into a slot of the ring with one `memcpy`.
  @inline(__always)
  func fill(_ slot: inout MutableSpan<UInt8>) {
    precondition(slot.count >= byteCount, "the slot is too small for the frame")
    // UNSAFE: the size was just checked.
    unsafe slot.withUnsafeMutableBytes { slot in
      if let base = slot.baseAddress { unsafe memcpy(base, bytes, byteCount) }
    }
  }

  /// Publishes the bytes that are already in the next slot.
  @inline(__always)
  func publishEmpty() throws {
    try writer.publish(byteCount: byteCount, clock: FixedClock()) { _ in }
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

/// A clock that always returns the same instant, without the cost of the system's clock.
struct FixedClock: MonotonicClock {
  let now = MonotonicTime(nanoseconds: 1)
  let minimumResolution = Duration.nanoseconds(1)

  func wait(until deadline: MonotonicTime) {}
  func sleep(until deadline: MonotonicTime, tolerance: Duration?) {}
}

struct Pace: Equatable {
  /// The number of slices of a loop per round.
  var slices: Int
  var slice: Duration
  /// The duration of two processes at full speed.
  var flatOut: Duration
  /// The duration of two processes at 60 frames per second.
  var paced: Duration

  /// For accurate figures: a loop runs for 80 ms per round.
  static let thorough = Pace(
    slices: 8, slice: .milliseconds(10), flatOut: .milliseconds(500), paced: .seconds(2))
  /// For a check that everything runs. The figures are not accurate.
  static let quick = Pace(
    slices: 2, slice: .microseconds(500), flatOut: .milliseconds(30), paced: .milliseconds(150))
}
