/// The time until a frame of one core is visible on the other.
enum HandOffGroup {
  /// The time before a due frame at which an early reader begins to poll, in nanoseconds.
  private static let lead: UInt64 = 150_000

  static func measurements(_ context: Context) -> [any Measurement] {
    let (short, second) = (context.pace.flatOut, context.pace.paced / 2)
    return [
      Pair(
        context, .cacheLine, .none, interval: 0, duration: short, polling: .spinning,
        figures: [
          (
            Row(id: "handoff.line", title: "a cache line crosses, one way: the limit", unit: .nanoseconds),
            { sender, _ in sender.times.map { $0.median / Double(2 * BareWord.roundTrips) } }
          )
        ]),
      Pair(
        context, .ring, .none, interval: 100_000, duration: short, polling: .between,
        figures: [
          (
            Row(
              id: "handoff.poll", title: "poll, a new frame from the other core", unit: .nanoseconds,
              beside: "handoff.line", bar: .figureAtMost(500)), { $1.times?.median }
          )
        ]),
      Pair(
        context, .ring, .none, interval: 1_000_000, duration: short, polling: .spinning,
        figures: [
          (
            Row(
              id: "handoff.spin-1000", title: "published to seen, spinning, 1000 a second: median",
              unit: .nanoseconds, beside: "handoff.line"), { $1.times?.median }
          )
        ]),
      sixty(context, .memcpy, .spinning, "bare", "a bare word, spinning", second, beside: nil),
      sixty(context, .ring, .spinning, "spin", "the ring, spinning", second, beside: "bare"),
      sixty(
        context, .ring, .early(lead), "early", "the ring, asleep until 150 µs before", second, beside: "bare",
        bar: .figureAtMost(3)),
      sixty(context, .futex, .waiting, "futex", "a bare futex, asleep", second, beside: nil),
      sixty(
        context, .ring, .waiting, "wake", "the ring, asleep until woken", second, beside: "futex",
        bar: .ratioAtMost(1.15)),
    ]
  }

  /// 60 frames per second without pixels, for one kind of reader.
  private static func sixty(
    _ context: Context, _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    _ duration: UInt64, beside: String?, bar: Bar? = nil
  ) -> Pair {
    func row(_ figure: String, _ what: String, bar: Bar? = nil) -> Row {
      Row(
        id: "handoff.\(name).\(figure)", title: "\(title): \(what)", unit: .microseconds,
        beside: beside.map { "handoff.\($0).\(figure)" }, bar: bar)
    }
    return Pair(
      context, transport, .none, interval: Frames.interval, duration: duration, polling: polling,
      figures: [
        (row("age", "to seen, median", bar: bar), { $1.times.map { $0.median / 1e3 } }),
        (row("age-p99", "to seen, p99"), { $1.times.map { $0.p99 / 1e3 } }),
        (row("out", "processor a frame, out"), { sender, _ in sender.processorPerFrame }),
        (row("in", "processor a frame, in"), { _, receiver in receiver.processorPerFrame }),
      ])
  }
}
