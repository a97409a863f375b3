import Platform
import SharedMemory

/// A row that is a loop in this process.
struct HotRow {
  let row: Row
  /// The row of the same loop whose time is taken off, as the body does that too; it must come earlier.
  let less: String?
  /// Runs the body so many times. The loop is in here, so that nothing is called in between.
  let run: (_ count: Int) throws -> Void

  init(_ row: Row, less: String? = nil, run: @escaping (_ count: Int) throws -> Void) {
    self.row = row
    self.less = less
    self.run = run
  }
}

/// Rows measured in turn, a slice of each again and again, so that what disturbs the machine disturbs all alike.
///
/// The figure of a round is its quickest slice: whatever else runs on the machine only ever adds to the time. The
/// clock is read twice a slice.
struct HotLoop: Measurement {
  private let hotRows: [HotRow]
  private let pace: Pace

  init(_ hotRows: [HotRow], pace: Pace) {
    self.hotRows = hotRows
    self.pace = pace
  }

  var rows: [Row] { hotRows.map(\.row) }

  func run(round: Int) throws -> [String: Double] {
    let counts = try hotRows.map(calibrate)
    var slices = Array(repeating: [Double](), count: hotRows.count)
    for _ in 0..<pace.slices {
      for (index, hot) in hotRows.enumerated() {
        // Another slice before, for the caches: the row before left other bytes in them, and a row whose
        // memory is that of the row before would have an advantage.
        try hot.run(counts[index])
        let nanoseconds = try time { try hot.run(counts[index]) }
        slices[index].append(nanoseconds / Double(counts[index]))
      }
    }
    var times: [String: Double] = [:]
    for (hot, slices) in zip(hotRows, slices) {
      guard let time = slices.min() else { continue }
      // Never below what the clock can tell apart, so that no noise makes a negative time.
      times[hot.row.id] = max(0.01, time - (hot.less.flatMap { times[$0] } ?? 0))
    }
    return hotRows.map(\.row).reduce(into: [:]) { figures, row in
      figures[row.id] = times[row.id].map(row.unit.figure(nanoseconds:))
    }
  }

  /// How often a body must run for a slice to be as long as it should.
  private func calibrate(_ hot: HotRow) throws -> Int {
    var count = 1
    while true {
      let nanoseconds = try time { try hot.run(count) }
      if nanoseconds >= Double(pace.slice) { return count }
      // A first run may be slow for reasons of its own, so never leap.
      let wanted = Double(count) * Double(pace.slice) / nanoseconds
      count = max(count + 1, min(count * 10, Int(wanted.rounded(.up))))
    }
  }

  private func time(_ body: () throws -> Void) rethrows -> Double {
    let start = SystemClock().now.nanoseconds
    try body()
    return Double(max(1, SystemClock().now.nanoseconds - start))
  }
}
