/// A frame crossing from one core to the other: how long until it is seen.
enum HandOffGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    let pace = context.pace
    return [
      Pair(
        context, .cacheLine, .none, interval: 0, duration: pace.flatOut, looks: .spinning,
        figures: [
          (
            Row(id: "handoff.line", title: "a cache line crosses, one way: the limit", unit: .nanoseconds),
            { sender, _ in sender.times.map { $0.median / Double(2 * BareWord.roundTrips) } }
          )
        ]),
      Pair(
        context, .ring, .none, interval: 100_000, duration: pace.flatOut, looks: .between,
        figures: [
          (
            Row(
              id: "handoff.poll", title: "poll, a new frame from the other core", unit: .nanoseconds,
              beside: "handoff.line", bar: .figureAtMost(500)), { $1.times?.median }
          )
        ]),
      Pair(
        context, .ring, .none, interval: 1_000_000, duration: pace.flatOut, looks: .spinning,
        figures: [
          (
            Row(
              id: "handoff.spin-1000", title: "published to seen, spinning, 1000 a second: median",
              unit: .nanoseconds, beside: "handoff.line"), { $1.times?.median }
          )
        ]),
      Pair(
        context, .memcpy, .none, interval: Frames.interval, duration: pace.paced / 2, looks: .spinning,
        figures: [
          (
            Row(
              id: "handoff.bare-60", title: "a bare word stored to seen, spinning, 60 a second: median",
              unit: .nanoseconds), { $1.times?.median }
          )
        ]),
      Pair(
        context, .ring, .none, interval: Frames.interval, duration: pace.paced / 2, looks: .spinning,
        figures: [
          (
            Row(
              id: "handoff.spin-60", title: "published to seen, spinning, 60 a second: median",
              unit: .nanoseconds, beside: "handoff.bare-60"), { $1.times?.median }
          ),
          (
            Row(
              id: "handoff.spin-60-p99", title: "published to seen, spinning, 60 a second: p99",
              unit: .nanoseconds, beside: "handoff.spin-60"), { $1.times?.p99 }
          ),
        ]),
      Pair(
        context, .futex, .none, interval: Frames.interval, duration: pace.paced / 2, looks: .waiting,
        figures: [
          (
            Row(
              id: "handoff.futex-60", title: "a bare futex, stored to seen, 60 a second: median",
              unit: .microseconds), { $1.times.map { $0.median / 1e3 } }
          ),
          (
            Row(
              id: "handoff.futex-60-p99", title: "a bare futex, stored to seen, 60 a second: p99",
              unit: .microseconds, beside: "handoff.futex-60"), { $1.times.map { $0.p99 / 1e3 } }
          ),
        ]),
    ]
  }
}

/// The rates of a broadcast.
enum Frames {
  /// Nanoseconds from one frame to the next at 60 a second.
  static let interval: UInt64 = 16_666_667
  /// Nanoseconds from one look to the next at 30 a second.
  static let look: UInt64 = 33_333_333
}
