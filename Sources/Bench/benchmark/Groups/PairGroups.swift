/// The time until a frame of one core is visible on the other.
enum HandOffGroup {
  private static let limit = Row("handoff.line", "a cache line crosses, one way: the limit", .nanoseconds)
  private static let poll = Row(
    "handoff.poll", "poll, a new frame from the other core", .nanoseconds, beside: "handoff.line",
    bar: .atMost(2.5))

  static func measurements(_ context: Context) -> [any Measurement] {
    let short = context.pace.flatOut
    return [
      ProcessPair(
        context, Job(transport: .cacheLine, duration: short),
        [(limit, .sender, .median)]),
      ProcessPair(
        context, Job(transport: .ring, interval: .microseconds(100), polling: .between, duration: short),
        [(poll, .receiver, .median)]),
      sixty(context, .bare, "futex", "a bare futex, asleep"),
      sixty(context, .ring, "wake", "the ring, asleep until woken", beside: "futex", bar: .atMost(1.1)),
    ]
  }

  /// 60 frames per second without pixels, for a reader that sleeps.
  private static func sixty(
    _ context: Context, _ transport: Job.Transport, _ name: String, _ title: String, beside: String? = nil,
    bar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(.handoff, name, title, beside: beside)
    return ProcessPair(
      context, Job(transport: transport, duration: context.pace.paced / 2),
      series.agesAndTimes("to seen", ageBar: bar))
  }
}

/// The app's classes as readers of the ring, with each of their modes, beside the ring's own reader at the same pace.
enum AppReaderGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(
        context, .ring, .timer, "ring-poll",
        "the ring alone, polled by the same timer and copied"),
      pair(
        context, .app, .timer, "poll", "polls 30 times per second", beside: "ring-poll",
        costBar: .atMost(1.15)),
      pair(context, .ring, .waiting, "ring-wake", "the ring alone, woken and copied"),
      pair(context, .app, .waiting, "wake", "woken", beside: "ring-wake", costBar: .atMost(1.2)),
    ]
  }

  private static func pair(
    _ context: Context, _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    beside: String? = nil, costBar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(.app, name, title, beside: beside)
    return ProcessPair(
      context, Job(transport: transport, hasPixels: true, polling: polling, duration: context.pace.paced),
      series.agesAndTimes("age of a frame when reported", inBar: costBar) + [
        series(
          "in-second", "processor a second, in", .receiver, .processorPerSecond, .millisecondsPerSecond)
      ])
  }
}
