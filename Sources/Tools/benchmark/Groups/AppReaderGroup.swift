import Platform
import ScreenBroadcast

/// The app's classes as readers of the ring, with each of their modes, beside the ring's own reader at the same pace.
enum AppReaderGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(
        context, .ring, .timer(BroadcastBufferContext.pollInterval), "ring-poll",
        "the ring alone, polled by the same timer and copied"),
      pair(
        context, .app, .app(.poll), "poll", "polls 30 times per second", beside: "ring-poll",
        costBar: .atMost(1.15)),
      pair(context, .ring, .waiting, "ring-wake", "the ring alone, woken and copied"),
      pair(context, .app, .app(.wake), "wake", "woken", beside: "ring-wake", costBar: .atMost(1.2)),
    ]
  }

  private static func pair(
    _ context: Context, _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    beside: String? = nil, costBar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(id: "app.\(name)", title: title, beside: beside.map { "app.\($0)" })
    return ProcessPair(
      context, Job(transport, hasPixels: true, polling: polling, for: context.pace.paced),
      series.agesAndTimes("age of a frame when reported", inBar: costBar) + [
        series(
          "in-second", "processor a second, in", .receiver, .processorPerSecond, .millisecondsPerSecond)
      ])
  }
}
