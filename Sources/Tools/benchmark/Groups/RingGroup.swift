import CBenchmark
import Platform
import SharedMemory

/// The cost of the ring itself: publishing without a copy, and polling, in one process with warm caches.
enum RingGroup {
  static func measurements(_ context: Context) throws -> [any Measurement] {
    let words = try SharedBytes(path: context.path("words"), count: 4096, creates: true)
    return [
      HotLoop(publishing(context, words), pace: context.pace),
      HotLoop(try polling(context, words), pace: context.pace),
      HotLoop(try leasing(context), pace: context.pace),
    ]
  }

  private static func publishing(_ context: Context, _ words: SharedBytes) -> [HotRow] {
    let byteCount = context.picture.byteCount
    return [
      HotRow(
        Row(id: "publish.stores", title: "the five stores of a publish alone: the limit", unit: .nanoseconds)
      ) { count in
        // UNSAFE: a page of our own.
        for number in 0..<count { unsafe benchmark_publish_words(words.base, UInt64(number)) }
      },
      HotRow(
        Row(
          id: "publish.empty", title: "publish without the copy, the time given", unit: .nanoseconds,
          beside: "publish.stores", bar: .figureAtMost(10))
      ) { count in
        for _ in 0..<count { try context.publishEmpty() }
      },
      HotRow(
        Row(id: "publish.clock", title: "one look at the clock", unit: .nanoseconds, beside: "publish.stores")
      ) { count in
        for _ in 0..<count { benchmark_keep(SystemClock().now.nanoseconds) }
      },
      HotRow(
        Row(
          id: "publish.empty-clock", title: "publish without the copy, with a look at the clock",
          unit: .nanoseconds, beside: "publish.clock")
      ) { count in
        for _ in 0..<count {
          try context.writer.publish(
            byteCount: byteCount, captureTime: .zero, orientation: 1
          ) { _ in }
        }
      },
    ]
  }

  private static func polling(_ context: Context, _ words: SharedBytes) throws -> [HotRow] {
    let idle = try FrameRingReader(path: context.writer.path)
    let following = try FrameRingReader(path: context.writer.path)
    return [
      HotRow(Row(id: "poll.load", title: "one load of a shared word: the limit", unit: .nanoseconds)) {
        count in
        // UNSAFE: a page of our own.
        for _ in 0..<count { benchmark_keep(unsafe benchmark_load(words.base)) }
      },
      HotRow(
        Row(
          id: "poll.nothing", title: "poll, nothing new", unit: .nanoseconds, beside: "poll.load",
          bar: .figureAtMost(3))
      ) { count in
        _ = try idle.next { _, _ in }
        for _ in 0..<count {
          let found: UInt64? = try idle.next { stamp, _ in stamp.number }
          benchmark_keep(found ?? 0)
        }
      },
      HotRow(
        Row(id: "poll.publish", title: "publish without the copy, as above", unit: .nanoseconds)
      ) { count in
        for _ in 0..<count { try context.publishEmpty() }
      },
      HotRow(
        Row(
          id: "poll.new", title: "poll, a new frame, same core (publish taken off)", unit: .nanoseconds,
          beside: "poll.publish"),
        less: "poll.publish"
      ) { count in
        for _ in 0..<count {
          try context.publishEmpty()
          let found: UInt64? = try following.next { stamp, _ in stamp.number }
          benchmark_keep(found ?? 0)
        }
      },
    ]
  }

  /// A ring with a registered reader, so that the writer checks leases.
  private static func leasing(_ context: Context) throws -> [HotRow] {
    let byteCount = 64
    let writer = try FrameRingWriter(
      path: context.path("leased"), slotCount: Context.slotCount, payloadCapacity: byteCount)
    let reader = try FrameRingReader(path: writer.path, registers: true)
    func publish() throws {
      try writer.publish(byteCount: byteCount, captureTime: .zero, orientation: 1, clock: FixedClock()) { _ in
      }
    }
    // The writer detects the reader at one frame, and the reader detects that at the next.
    try publish()
    try publish()
    return [
      HotRow(
        Row(id: "lease.publish-alone", title: "publish without the copy, as above", unit: .nanoseconds)
      ) { count in
        for _ in 0..<count { try context.publishEmpty() }
      },
      HotRow(
        Row(
          id: "lease.publish", title: "publish without the copy, a reader registered", unit: .nanoseconds,
          beside: "lease.publish-alone", bar: .figureAtMost(20))
      ) { count in
        for _ in 0..<count { try publish() }
      },
      HotRow(
        Row(
          id: "lease.take", title: "lease a new frame and give it back (publish taken off)",
          unit: .nanoseconds, beside: "lease.publish"),
        less: "lease.publish"
      ) { count in
        for _ in 0..<count {
          try publish()
          guard let lease = try reader.lease(), lease.end() else {
            throw Failure("no frame was to be leased")
          }
        }
      },
    ]
  }
}
