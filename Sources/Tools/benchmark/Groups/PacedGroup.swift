/// The cost of a broadcast for each process: 60 frames per second out, 30 polls per second in.
enum PacedGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(context, .bare, .none, "idle", "timers alone"),
      pair(
        context, .ring, .none, "empty", "ring without pixels", beside: "idle", secondBar: .atMost(1.5),
        publishBar: .atMost(3)),
      pair(context, .article, .pictures, "article", "article"),
      pair(context, .ring, .pictures, "ring", "ring", beside: "article", frameBar: .atMost(0.6)),
    ]
  }

  private static func pair(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, _ name: String, _ title: String,
    beside: String? = nil, secondBar: Bar? = nil, frameBar: Bar? = nil,
    publishBar: Bar? = nil
  ) -> ProcessPair {
    let series = RowSeries(id: "paced.\(name)", title: title, beside: beside.map { "paced.\($0)" })
    let alone = RowSeries(id: "paced.\(name)", title: title)
    var rows =
      series.both("-frame", "processor a frame", .processorPerFrame, outBar: frameBar)
      + series.both(
        "-second", "processor a second", .processorPerSecond, .millisecondsPerSecond, outBar: secondBar,
        inBar: secondBar)
      + series.both("-alone", "private memory", .privateMemory, .mebibytes)
      + series.both("-shared", "shared memory", .sharedMemory, .mebibytes)
    if pixels == .none {
      rows.append(
        series("publish", "publish at that pace, caches cold", .sender, .median, bar: publishBar))
    }
    if transport != .bare {
      let ages = pixels == .none ? alone : series
      rows += [
        ages("age", "age of a frame when seen: median", .receiver, .median, .milliseconds),
        ages("age-p99", "age of a frame when seen: p99", .receiver, .p99, .milliseconds),
      ]
    }
    return ProcessPair(
      context, Job(transport, pixels, polling: .every(.nanoseconds(33_333_333)), for: context.pace.paced),
      rows)
  }
}
