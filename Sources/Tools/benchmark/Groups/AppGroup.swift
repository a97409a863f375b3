/// The app's classes as readers of the ring, with each of their modes.
enum AppGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(context, .poll, "polls 30 times per second", beside: nil),
      pair(context, .wake, "woken", beside: .poll),
      pair(context, .early, "awake shortly before a frame is due", beside: .poll),
      pair(context, .wakeLeased, "woken, frames in place", beside: .poll),
    ]
  }

  private static func pair(
    _ context: Context, _ mode: Job.AppMode, _ title: String, beside: Job.AppMode?
  ) -> Pair {
    func row(_ figure: String, _ what: String, _ unit: Row.Unit) -> Row {
      Row(
        id: "app.\(mode.rawValue).\(figure)", title: "\(title): \(what)", unit: unit,
        beside: beside.map { "app.\($0.rawValue).\(figure)" })
    }
    return Pair(
      context, .app, .pictures, interval: Frames.interval, duration: context.pace.paced / 2,
      polling: .app(mode),
      figures: [
        (
          row("age", "age of a frame when reported, median", .microseconds),
          { $1.times.map { $0.median / 1e3 } }
        ),
        (
          row("age-p99", "age of a frame when reported, p99", .microseconds),
          { $1.times.map { $0.p99 / 1e3 } }
        ),
        (row("out", "processor a frame, out", .microseconds), { sender, _ in sender.processorPerFrame }),
        (row("in", "processor a frame, in", .microseconds), { _, receiver in receiver.processorPerFrame }),
        (
          row("in-second", "processor a second, in", .millisecondsPerSecond),
          { _, receiver in receiver.processorPerSecond }
        ),
      ])
  }
}
