import CBenchmark
import CommandLineSupport
import CoreVideo
import Glibc
import Platform
import ScreenBroadcast
import SharedMemory

/// Copies of a frame's bytes into a slot and out of it, in one process.
enum CopyGroup {
  static func measurements(_ context: Context) throws -> [any Measurement] {
    // The article's single slot, and the destination of the reference for reading, lie outside the rings.
    let slot = try SharedBytes(
      path: context.path("article"), count: context.picture.slotStride, creates: true)
    unsafe context.picture.copy(to: slot.base)
    return [
      HotLoop(writing(context, slot), pace: context.pace),
      HotLoop(try reading(context, slot), pace: context.pace),
    ]
  }

  private static func writing(_ context: Context, _ slot: SharedBytes) -> [HotRow] {
    let (picture, slots, writer) = (context.picture, context.slots, context.writer)
    let codec = ArticleCodec()
    return [
      HotRow(
        Row(id: "copy.memcpy", title: "memcpy into 3 slots in turn: the limit", unit: .framesPerSecond)
      ) { count in
        copy(picture, into: slots, slotCount: Context.slotCount, count: count)
      },
      HotRow(
        Row(
          id: "copy.memcpy-2-slots", title: "memcpy into 2 slots in turn",
          unit: .framesPerSecond,
          beside: "copy.memcpy")
      ) { count in
        copy(picture, into: slots, slotCount: 2, count: count)
      },
      HotRow(
        Row(
          id: "copy.publish", title: "publish, the slot filled by one memcpy", unit: .framesPerSecond,
          beside: "copy.memcpy", bar: .ratioAtLeast(0.97))
      ) { count in
        for _ in 0..<count {
          try writer.publish(
            byteCount: picture.byteCount, captureTime: .zero, orientation: 1,
            picture.copy(to:))
        }
      },
      HotRow(
        Row(
          id: "copy.serialize", title: "publish, a pixel buffer serialised into the slot",
          unit: .framesPerSecond, beside: "copy.memcpy")
      ) { count in
        let serializer = PixelBufferSerializer()
        for _ in 0..<count {
          try writer.publish(
            byteCount: picture.byteCount, captureTime: .zero, orientation: 1
          ) { slot throws(PixelBufferSerializer.Failure) in
            try serializer.serialize(picture.pixelBuffer, into: &slot)
          }
        }
      },
      HotRow(
        Row(
          id: "copy.article", title: "article: into a Data, then into the one slot",
          unit: .framesPerSecond, beside: "copy.memcpy")
      ) { count in
        // UNSAFE: the slot has room for the picture's bytes.
        for _ in 0..<count { unsafe codec.write(picture, to: slot.base) }
      },
    ]
  }

  private static func reading(_ context: Context, _ slot: SharedBytes) throws -> [HotRow] {
    let (picture, slots) = (context.picture, context.slots)
    let reader = try FrameRingReader(path: context.writer.path)
    return [
      HotRow(Row(id: "read.memcpy", title: "memcpy out of 3 slots in turn: the limit", unit: .microseconds)) {
        count in
        var index = 0
        for _ in 0..<count {
          index = index + 1 == Context.slotCount ? 0 : index + 1
          // UNSAFE: both have room for the picture's bytes.
          unsafe memcpy(slot.base, slots.base + index * picture.slotStride, picture.byteCount)
          benchmark_keep(0)
        }
      },
      HotRow(
        Row(
          id: "read.deserialize", title: "next, deserialised into a pooled pixel buffer",
          unit: .microseconds, beside: "read.memcpy", bar: .ratioAtMost(1.05))
      ) { count in
        var serializer = PixelBufferSerializer()
        for _ in 0..<count {
          try context.publishEmpty()
          let copy = try reader.next {
            (_, payload) throws(PixelBufferSerializer.Failure) in try serializer.deserialize(payload)
          }
          benchmark_keep(copy == nil ? 0 : 1)
        }
      },
      HotRow(
        Row(
          id: "read.article", title: "article: out of the slot into a Data, then deserialised",
          unit: .microseconds, beside: "read.memcpy")
      ) { count in
        var codec = ArticleCodec()
        for _ in 0..<count {
          // UNSAFE: the slot has the picture's bytes.
          let copy = try unsafe codec.read(slot.base, count: picture.byteCount)
          benchmark_keep(UInt64(CVPixelBufferGetWidth(copy)))
        }
      },
      HotRow(
        Row(
          id: "read.in-place", title: "next, every byte summed in the slot, none copied",
          unit: .microseconds, beside: "read.memcpy")
      ) { count in
        for _ in 0..<count {
          try context.publishEmpty()
          benchmark_keep(try reader.next { _, payload in payload.sum } ?? 0)
        }
      },
    ]
  }

  private static func copy(_ picture: Picture, into slots: SharedBytes, slotCount: Int, count: Int) {
    var slot = 0
    for _ in 0..<count {
      slot = slot + 1 == slotCount ? 0 : slot + 1
      // UNSAFE: each slot has room for the picture's bytes.
      unsafe picture.copy(to: slots.base + slot * picture.slotStride)
      benchmark_keep(0)
    }
  }
}
