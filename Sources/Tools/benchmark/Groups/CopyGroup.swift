import CBenchmark
import CoreVideo
import Glibc
import ScreenBroadcast
import SharedMemory

/// Copies of a frame's bytes into a slot and out of it, in one process.
enum CopyGroup {
  static func measurements(_ context: Context) throws -> [any Measurement] {
    [
      HotLoop(hotRows: writing(context), pace: context.pace),
      HotLoop(hotRows: try reading(context), pace: context.pace),
    ]
  }

  private static func writing(_ context: Context) -> [HotRow] {
    let (picture, slots, writer) = (context.picture, context.slots, context.writer)
    let codec = ArticleCodec()
    func copy(slotCount: Int, count: Int) {
      var slot = 0
      for _ in 0..<count {
        slot = slot + 1 == slotCount ? 0 : slot + 1
        // UNSAFE: each slot has room for the picture's bytes.
        unsafe picture.copy(to: slots.slot(slot))
        benchmark_keep(0)
      }
    }
    return [
      HotRow("copy.memcpy", "memcpy into 3 slots in turn: the limit", .framesPerSecond) { count in
        copy(slotCount: Context.slotCount, count: count)
      },
      HotRow("copy.memcpy-2-slots", "memcpy into 2 slots in turn", .framesPerSecond, beside: "copy.memcpy") {
        count in
        copy(slotCount: 2, count: count)
      },
      HotRow(
        "copy.publish", "publish, the slot filled by one memcpy", .framesPerSecond, beside: "copy.memcpy",
        bar: .atLeast(0.97)
      ) { count in
        for _ in 0..<count { try writer.publish(byteCount: picture.byteCount, picture.copy(to:)) }
      },
      HotRow(
        "copy.serialize", "publish, a pixel buffer serialised into the slot", .framesPerSecond,
        beside: "copy.memcpy"
      ) { count in
        for _ in 0..<count { try picture.publish(to: writer) }
      },
      HotRow(
        "copy.article", "article: into a Data, then into the one slot", .framesPerSecond,
        beside: "copy.memcpy"
      ) { count in
        // UNSAFE: the slot has room for the picture's bytes.
        for _ in 0..<count { unsafe codec.write(picture, to: slots.slot(Context.articleSlot)) }
      },
    ]
  }

  private static func reading(_ context: Context) throws -> [HotRow] {
    let (picture, slots) = (context.picture, context.slots)
    let reader = try FrameRingReader(path: context.writer.path)
    return [
      HotRow("read.memcpy", "memcpy out of 3 slots in turn: the limit", .microseconds) { count in
        var index = 0
        for _ in 0..<count {
          index = index + 1 == Context.slotCount ? 0 : index + 1
          // UNSAFE: both have room for the picture's bytes.
          unsafe memcpy(slots.slot(Context.articleSlot), slots.slot(index), picture.byteCount)
          benchmark_keep(0)
        }
      },
      HotRow(
        "read.deserialize", "next, deserialised into a pooled pixel buffer", .microseconds,
        beside: "read.memcpy", bar: .atMost(1.05)
      ) { count in
        var serializer = PixelBufferSerializer()
        for _ in 0..<count {
          try context.publishEmpty()
          let copy = try reader.next { _, payload in serializer.result(of: payload) }
          benchmark_keep(try copy?.get() == nil ? 0 : 1)
        }
      },
      HotRow(
        "read.article", "article: out of the slot into a Data, then deserialised", .microseconds,
        beside: "read.memcpy"
      ) { count in
        var codec = ArticleCodec()
        for _ in 0..<count {
          // UNSAFE: the slot has the picture's bytes.
          let copy = try unsafe codec.read(slots.slot(Context.articleSlot), count: picture.byteCount)
          benchmark_keep(UInt64(CVPixelBufferGetWidth(copy)))
        }
      },
      HotRow(
        "read.in-place", "next, every byte summed in the slot, none copied", .microseconds,
        beside: "read.memcpy"
      ) { count in
        for _ in 0..<count {
          try context.publishEmpty()
          benchmark_keep(try reader.next { _, payload in payload.sum } ?? 0)
        }
      },
    ]
  }
}

extension Span<UInt8> {
  /// The sum of all bytes, which a reader can only compute by reading each of them.
  fileprivate var sum: UInt64 {
    // UNSAFE: the bytes of the span, within the closure.
    unsafe withUnsafeBufferPointer { bytes in unsafe benchmark_sum(bytes.baseAddress, bytes.count) }
  }
}
