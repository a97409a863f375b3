import CBenchmark
import CPlatform
import Platform
import SharedMemory

/// The cost of the ring itself: publishing without a copy, and polling, in one process with warm caches.
enum RingGroup {
  static func measurements(_ context: Context) throws -> [any Measurement] {
    [
      HotLoop(hotRows: publishing(context), pace: context.pace),
      HotLoop(hotRows: try polling(context), pace: context.pace),
    ]
  }

  private static func publishing(_ context: Context) -> [HotRow] {
    let (writer, words, byteCount) = (context.writer, context.slots, context.picture.byteCount)
    return [
      HotRow("publish.wake", "one FUTEX_WAKE without a sleeper: the limit", .nanoseconds) { count in
        // UNSAFE: a page of our own.
        for _ in 0..<count { unsafe shared_wake(words.word(.newest)) }
      },
      HotRow(
        "publish.empty", "publish without the copy, the time given", .nanoseconds, beside: "publish.wake",
        bar: .atMost(1.1)
      ) { count in
        for _ in 0..<count { try context.publishEmpty() }
      },
      HotRow(
        "publish.empty-clock", "publish without the copy, with a read of the clock", .nanoseconds,
        beside: "publish.wake"
      ) { count in
        for _ in 0..<count { try writer.publish(byteCount: byteCount) { _ in } }
      },
    ]
  }

  private static func polling(_ context: Context) throws -> [HotRow] {
    let words = context.slots
    let idle = try FrameRingReader(path: context.writer.path)
    return [
      HotRow("poll.load", "one load of a shared word: the limit", .nanoseconds) { count in
        // UNSAFE: a page of our own.
        for _ in 0..<count { benchmark_keep(unsafe benchmark_load(words.base)) }
      },
      HotRow("poll.nothing", "poll, nothing new", .nanoseconds, beside: "poll.load", bar: .atMost(8)) {
        count in
        _ = try idle.next { _, _ in }
        for _ in 0..<count {
          let found: UInt64? = try idle.next { stamp, _ in stamp.number }
          benchmark_keep(found ?? 0)
        }
      },
    ]
  }
}
