/// Several consumers of one producer, each woken for each frame, without pixels.
enum ConsumersGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [1, 2, 4, 8].map { count in
      let series = RowSeries(
        id: "consumers.\(count)", title: "\(count) consumer\(count == 1 ? "" : "s")",
        beside: count == 1 ? nil : "consumers.1")
      return ProcessPair(
        context, Job(.ring, polling: .waiting, for: context.pace.paced / 2), receivers: count,
        [
          series("out", "processor a frame, out", .sender, .processorPerFrame),
          series("in", "processor a frame, each in", .receiver, .processorPerFrame),
          series("age", "to seen, median", .receiver, .median),
        ])
    }
  }
}
