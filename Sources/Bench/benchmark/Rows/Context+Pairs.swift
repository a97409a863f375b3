// The rows of two processes.

extension Context {
  private typealias Figure = (JobResult) -> Duration?

  /// Measures the time until a frame from one core is visible on the other.
  func handOffs() -> [Measurement] {
    func row(
      _ name: String, _ title: String, _ unit: Row.Unit, beside: String? = nil, bar: Bar? = nil
    ) -> [(Row, Figure)] {
      let row = Row(
        .handoff, "handoff.\(name)", title, unit, beside: beside.map { "handoff.\($0)" }, bar: bar)
      return [(row, { $0.median })]
    }
    return [
      pair(
        Job(transport: .cacheLine, duration: pace.flatOut),
        row("line", "a cache line crosses, one way: the limit", .nanoseconds)),
      pair(
        Job(transport: .ring, polling: .between, interval: .microseconds(100), duration: pace.flatOut),
        row(
          "poll", "poll, a new frame from the other core", .nanoseconds, beside: "line", bar: .atMost(2.5))),
      pair(
        Job(transport: .bare, duration: pace.paced / 2),
        row("futex.age", "a bare futex, asleep: to seen, median", .microseconds)),
      pair(
        Job(transport: .ring, duration: pace.paced / 2),
        row(
          "wake.age", "the ring, asleep until woken: to seen, median", .microseconds, beside: "futex.age",
          bar: .atMost(1.1))),
    ]
  }

  /// Measures the app's classes as readers of the ring, in each of their modes, next to the ring's own reader at the same
  /// pace.
  func appReaders() -> [Measurement] {
    [
      reader(.ring, .timer, "ring-poll", "the ring alone, polled by the same timer and copied"),
      reader(.app, .timer, "poll", "polls 30 times per second", beside: "ring-poll", bar: .atMost(1.15)),
      reader(.ring, .waiting, "ring-wake", "the ring alone, woken and copied"),
      reader(.app, .waiting, "wake", "woken", beside: "ring-wake", bar: .atMost(1.2)),
    ]
  }

  private func reader(
    _ transport: Job.Transport, _ polling: Job.Polling, _ name: String, _ title: String,
    beside: String? = nil, bar: Bar? = nil
  ) -> Measurement {
    func row(_ part: String, _ what: String, _ unit: Row.Unit = .microseconds, bar: Bar? = nil) -> Row {
      Row(
        .app, "app.\(name).\(part)", "\(title): \(what)", unit, beside: beside.map { "app.\($0).\(part)" },
        bar: bar)
    }
    return pair(
      Job(transport: transport, polling: polling, hasPixels: true, duration: pace.paced),
      [
        (row("age", "age of a frame when reported, median"), { $0.median }),
        (row("in", "CPU time per frame, in", bar: bar), { $0.processor / max($0.frames, 1) }),
        (
          row("in-second", "CPU time per second, in", .millisecondsPerSecond),
          { $0.processor * (.seconds(1) / $0.elapsed) }
        ),
      ])
  }

  /// Creates rows with figures of the receiver of two processes.
  private func pair(_ job: Job, _ rows: [(row: Row, figure: Figure)]) -> Measurement {
    var job = job
    (job.folder, job.size) = (folder, size)
    return Measurement(rows.map(\.row)) { [job, cores] in
      let result = try job.runPair(on: cores)
      return try rows.reduce(into: [:]) { figures, row in
        // A receiver that starts too late gets no frames.
        guard let figure = row.figure(result) else {
          throw NotMeasured(reason: "no frame reached the other process")
        }
        figures[row.row.id] = row.row.unit.figure(of: figure)
      }
    }
  }
}
