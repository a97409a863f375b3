import Platform
import SharedMemory

/// The cost of a broadcast for each process: 60 frames per second out, 30 polls per second in.
enum PacedGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    [
      pair(context, .idle, .none, "paced.idle", "timers alone", beside: nil),
      pair(
        context, .ring, .none, "paced.empty", "ring without pixels", beside: "paced.idle",
        secondBar: .figureAtMost(4)),
      pair(context, .article, .pictures, "paced.article", "article", beside: nil),
      pair(
        context, .ring, .pictures, "paced.ring", "ring", beside: "paced.article",
        frameBar: .ratioAtMost(0.6)),
    ]
  }

  private static func pair(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, _ id: String, _ title: String,
    beside: String?, secondBar: Bar? = nil, frameBar: Bar? = nil
  ) -> Pair {
    func row(_ name: String, _ what: String, _ unit: Row.Unit, bar: Bar? = nil, isBeside: Bool = true) -> Row
    {
      Row(
        id: "\(id).\(name)", title: "\(title): \(what)", unit: unit,
        beside: isBeside ? beside.map { "\($0).\(name)" } : nil,
        bar: bar)
    }
    let mebibyte = 1_048_576.0
    var figures: [(row: Row, figure: Pair.Figure)] = [
      (
        row("out-frame", "processor a frame, out", .microseconds, bar: frameBar),
        { sender, _ in sender.processorPerFrame }
      ),
      (
        row("in-frame", "processor a frame, in", .microseconds),
        { _, receiver in receiver.processorPerFrame }
      ),
      (
        row("out-second", "processor a second, out", .millisecondsPerSecond, bar: secondBar),
        { sender, _ in sender.processorPerSecond }
      ),
      (
        row("in-second", "processor a second, in", .millisecondsPerSecond, bar: secondBar),
        { _, receiver in receiver.processorPerSecond }
      ),
      (
        row("out-alone", "private memory, out", .mebibytes),
        { sender, _ in Double(sender.memory.alone) / mebibyte }
      ),
      (
        row("in-alone", "private memory, in", .mebibytes),
        { _, receiver in Double(receiver.memory.alone) / mebibyte }
      ),
      (
        row("out-shared", "shared memory, out", .mebibytes),
        { sender, _ in Double(sender.memory.shared) / mebibyte }
      ),
      (
        row("in-shared", "shared memory, in", .mebibytes),
        { _, receiver in Double(receiver.memory.shared) / mebibyte }
      ),
    ]
    if transport == .ring, pixels == .none {
      figures.append(
        (
          row(
            "publish", "publish at that pace, caches cold", .microseconds, bar: .figureAtMost(4),
            isBeside: false),
          { sender, _ in sender.times.map { $0.median / 1e3 } }
        ))
    }
    if transport != .idle {
      figures += [
        (
          row("age", "age of a frame when seen: median", .milliseconds, isBeside: pixels != .none),
          { _, receiver in receiver.times.map { $0.median / 1e6 } }
        ),
        (
          row("age-p99", "age of a frame when seen: p99", .milliseconds, isBeside: pixels != .none),
          { _, receiver in receiver.times.map { $0.p99 / 1e6 } }
        ),
      ]
    }
    return Pair(
      context, transport, pixels, interval: Frames.interval, duration: context.pace.paced,
      polling: .every(Frames.pollInterval), figures: figures)
  }
}
