import Platform

/// A row that is measured by a loop in this process.
struct HotRow {
  let row: Row
  /// Runs the body `count` times. The closure contains the loop, so that there are no calls in between.
  let run: (_ count: Int) throws -> Void

  init(
    _ group: RowGroup, _ id: String, _ title: String, _ unit: Row.Unit, beside: String? = nil,
    bar: Bar? = nil, run: @escaping (_ count: Int) throws -> Void
  ) {
    row = Row(group, id, title, unit, beside: beside, bar: bar)
    self.run = run
  }
}

extension Measurement {
  /// Creates a measurement of rows in turn, one slice each, so that a disturbance of the host affects all of them.
  ///
  /// The figure of a round is its fastest slice, because other processes only add time. The clock is read twice per slice.
  convenience init(hotRows: [HotRow], pace: Pace) {
    self.init(hotRows.map(\.row)) {
      let counts = try hotRows.map { try $0.count(in: pace.slice) }
      var times: [String: Duration] = [:]
      for _ in 0..<pace.slices {
        for (hot, count) in zip(hotRows, counts) {
          // Run one slice to warm the caches, which contain the bytes of the previous row. Otherwise a row that uses the
          // memory of the previous row would have an advantage.
          try hot.run(count)
          let time = try SystemClock().measure { try hot.run(count) } / count
          times[hot.row.id] = min(time, times[hot.row.id] ?? time)
        }
      }
      return hotRows.reduce(into: [:]) { figures, hot in
        figures[hot.row.id] = times[hot.row.id].map(hot.row.unit.figure)
      }
    }
  }
}

extension HotRow {
  /// Returns the number of runs that fill a slice.
  fileprivate func count(in slice: Duration) throws -> Int {
    var count = 1
    while true {
      let time = try SystemClock().measure { try run(count) }
      if time >= slice { return count }
      // The first run may be slow, so increase the count in steps.
      let wanted = Double(count) * (slice / max(time, .nanoseconds(1)))
      count = max(count + 1, min(count * 10, Int(wanted.rounded(.up))))
    }
  }
}
