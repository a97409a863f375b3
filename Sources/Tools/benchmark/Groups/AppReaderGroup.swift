import Platform

/// The app's classes as readers of the ring, with each of their modes, beside the ring's own reader at the same pace.
enum AppReaderGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(
        context, .ring, .every(.nanoseconds(33_333_333)), "ring-poll", "the ring alone, polled and copied"),
      pair(
        context, .app, .app(.poll), "poll", "polls 30 times per second", beside: "ring-poll",
        costBar: .ratioAtMost(1.15)),
      pair(context, .ring, .waiting, "ring-wake", "the ring alone, woken and copied"),
      pair(context, .app, .app(.wake), "wake", "woken", beside: "ring-wake", costBar: .ratioAtMost(1.2)),
      pair(context, .app, .app(.early), "early", "awake shortly before a frame is due"),
      pair(context, .ring, .waiting, "ring-woken", "the ring alone, woken, no pixels", pixels: .none),
      pair(
        context, .app, .app(.wakeLeased), "wake-leased", "woken, frames in place", beside: "ring-woken",
        ageBar: .ratioAtMost(1.2)),
    ]
  }

  private static func pair(
    _ context: Context, _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    pixels: Job.Pixels = .pictures, beside: String? = nil, costBar: Bar? = nil, ageBar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(id: "app.\(name)", title: title, beside: beside.map { "app.\($0)" })
    return ProcessPair(
      context, Job(transport, pixels, polling: polling, for: context.pace.paced),
      series.agesAndTimes("age of a frame when reported", ageBar: ageBar, inBar: costBar) + [
        series(
          "in-second", "processor a second, in", .receiver, .processorPerSecond, .millisecondsPerSecond)
      ])
  }
}
