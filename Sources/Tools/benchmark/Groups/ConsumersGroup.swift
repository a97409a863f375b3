/// Several consumers of one producer, each woken for each frame, without pixels.
enum ConsumersGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [1, 2, 4, 8].map { pair(context, consumers: $0) }
  }

  private static func pair(_ context: Context, consumers: Int) -> Pair {
    func row(_ figure: String, _ what: String) -> Row {
      Row(
        id: "consumers.\(consumers).\(figure)",
        title: "\(consumers) consumer\(consumers == 1 ? "" : "s"): \(what)", unit: .microseconds,
        beside: consumers == 1 ? nil : "consumers.1.\(figure)")
    }
    return Pair(
      context, .ring, .none, interval: Frames.interval, duration: context.pace.paced / 2, polling: .waiting,
      receivers: consumers,
      figures: [
        (row("out", "processor a frame, out"), { sender, _ in sender.processorPerFrame }),
        (row("in", "processor a frame, each in"), { _, receiver in receiver.processorPerFrame }),
        (row("age", "to seen, median"), { $1.times.map { $0.median / 1e3 } }),
      ])
  }
}
