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
