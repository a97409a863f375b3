/// The time until a frame of one core is visible on the other.
enum HandOffGroup {
  private static let limit = Row("handoff.line", "a cache line crosses, one way: the limit", .nanoseconds)
  private static let poll = Row(
    "handoff.poll", "poll, a new frame from the other core", .nanoseconds, beside: "handoff.line",
    bar: .atMost(2.5))
  private static let spin = Row(
    "handoff.spin-1000", "published to seen, spinning, 1000 a second: median", .nanoseconds,
    beside: "handoff.line")

  static func measurements(_ context: Context) -> [any Measurement] {
    let short = context.pace.flatOut
    return [
      ProcessPair(
        context, Job(transport: .cacheLine, interval: .zero, polling: .spinning, duration: short),
        [(limit, .sender, .median)]),
      ProcessPair(
        context, Job(transport: .ring, interval: .microseconds(100), polling: .between, duration: short),
        [(poll, .receiver, .median)]),
      ProcessPair(
        context, Job(transport: .ring, interval: .milliseconds(1), polling: .spinning, duration: short),
        [(spin, .receiver, .median)]),
      sixty(context, .bare, .spinning, "bare", "a bare word, spinning"),
      sixty(context, .ring, .spinning, "spin", "the ring, spinning", beside: "bare"),
      sixty(context, .bare, .waiting, "futex", "a bare futex, asleep"),
      sixty(
        context, .ring, .waiting, "wake", "the ring, asleep until woken", beside: "futex",
        bar: .atMost(1.1)),
    ]
  }

  /// 60 frames per second without pixels, for one kind of reader.
  private static func sixty(
    _ context: Context, _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    beside: String? = nil, bar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(.handoff, name, title, beside: beside)
    return ProcessPair(
      context, Job(transport: transport, polling: polling, duration: context.pace.paced / 2),
      series.agesAndTimes("to seen", ageBar: bar))
  }
}
