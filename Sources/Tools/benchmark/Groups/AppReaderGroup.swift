/// The app's classes as readers of the ring, with each of their modes.
enum AppReaderGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    let modes: [(Job.AppMode, title: String)] = [
      (.poll, "polls 30 times per second"), (.wake, "woken"), (.early, "awake shortly before a frame is due"),
      (.wakeLeased, "woken, frames in place"),
    ]
    return modes.map { mode, title in
      let series = RowSeries(
        id: "app.\(mode.rawValue)", title: title, beside: mode == .poll ? nil : "app.poll")
      return ProcessPair(
        context, Job(.app, .pictures, polling: .app(mode), for: context.pace.paced / 2),
        [
          series("age", "age of a frame when reported, median", .receiver, .median),
          series("age-p99", "age of a frame when reported, p99", .receiver, .p99),
          series("out", "processor a frame, out", .sender, .processorPerFrame),
          series("in", "processor a frame, in", .receiver, .processorPerFrame),
          series(
            "in-second", "processor a second, in", .receiver, .processorPerSecond, .millisecondsPerSecond),
        ])
    }
  }
}
