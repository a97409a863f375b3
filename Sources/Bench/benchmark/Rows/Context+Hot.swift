import CBenchmark
import CPlatform
import Glibc
import ScreenBroadcast
import SharedMemory

// The rows of one process, with warm caches.

extension Context {
  /// Measures copies of a frame's bytes into a slot.
  func copiesIn() -> Measurement {
    let (slots, writer, bytes, byteCount) = unsafe (slots, writer, bytes, byteCount)
    return Measurement(
      hotRows: [
        HotRow(.copy, "copy.memcpy", "memcpy into 3 slots in turn: the limit", .framesPerSecond) { count in
          for index in 0..<count {
            // UNSAFE: each slot has room for the frame's bytes.
            unsafe memcpy(slots.slot(index % Self.slotCount), bytes, byteCount)
            benchmark_keep(0)
          }
        },
        HotRow(
          .copy, "copy.publish", "publish, the slot filled by one memcpy", .framesPerSecond,
          beside: "copy.memcpy", bar: .atLeast(0.97)
        ) { count in
          for _ in 0..<count { try writer.publish(byteCount: byteCount, self.fill) }
        },
      ], pace: pace)
  }

  /// Measures copies of a frame's bytes out of a slot.
  func copiesOut() throws -> Measurement {
    let (slots, bytes, byteCount) = unsafe (slots, bytes, byteCount)
    let reader = try FrameRingReader(path: writer.path)
    var serializer = PixelBufferSerializer()
    return Measurement(
      hotRows: [
        HotRow(.copy, "read.memcpy", "memcpy out of 3 slots in turn: the limit", .microseconds) { count in
          for index in 0..<count {
            // UNSAFE: each slot has room for the frame's bytes.
            unsafe memcpy(bytes, slots.slot(index % Self.slotCount), byteCount)
            benchmark_keep(0)
          }
        },
        HotRow(
          .copy, "read.deserialize", "next, deserialized into a pooled pixel buffer", .microseconds,
          beside: "read.memcpy", bar: .atMost(1.05)
        ) { count in
          for _ in 0..<count {
            try self.publishEmpty()
            let copy = try reader.next { _, payload in serializer.result(of: payload) }
            benchmark_keep(try copy?.get() == nil ? 0 : 1)
          }
        },
      ], pace: pace)
  }

  func publishing() -> Measurement {
    Measurement(
      hotRows: [
        HotRow(.ring, "publish.wake", "one FUTEX_WAKE without a sleeper: the limit", .nanoseconds) {
          [slots] count in
          // UNSAFE: the word is in a page of this process's own mapping.
          for _ in 0..<count { unsafe shared_wake(slots.word(.newest)) }
        },
        HotRow(
          .ring, "publish.empty", "publish without the copy, the time given", .nanoseconds,
          beside: "publish.wake", bar: .atMost(1.1)
        ) { count in
          for _ in 0..<count { try self.publishEmpty() }
        },
      ], pace: pace)
  }

  func polling() throws -> Measurement {
    let idle = try FrameRingReader(path: writer.path)
    return Measurement(
      hotRows: [
        HotRow(.ring, "poll.load", "one load of a shared word: the limit", .nanoseconds) { [slots] count in
          for _ in 0..<count { benchmark_keep(slots.load(.newest)) }
        },
        HotRow(
          .ring, "poll.nothing", "poll, nothing new", .nanoseconds, beside: "poll.load", bar: .atMost(8)
        ) { count in
          _ = try idle.next { _, _ in }
          for _ in 0..<count {
            let found: UInt64? = try idle.next { stamp, _ in stamp.number }
            benchmark_keep(found ?? 0)
          }
        },
      ], pace: pace)
  }
}
