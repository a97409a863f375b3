import CBenchmark
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
    return [
      HotRow("copy.memcpy", "memcpy into 3 slots in turn: the limit", .framesPerSecond) { count in
        for index in 0..<count {
          // UNSAFE: each slot has room for the picture's bytes.
          unsafe picture.copy(to: slots.slot(index % Context.slotCount))
          benchmark_keep(0)
        }
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
    ]
  }

  private static func reading(_ context: Context) throws -> [HotRow] {
    let (picture, slots) = (context.picture, context.slots)
    let reader = try FrameRingReader(path: context.writer.path)
    return [
      HotRow("read.memcpy", "memcpy out of 3 slots in turn: the limit", .microseconds) { count in
        for index in 0..<count {
          // UNSAFE: both have room for the picture's bytes, and the slot has the same bytes.
          unsafe memcpy(picture.bytes, slots.slot(index % Context.slotCount), picture.byteCount)
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
    ]
  }
}
