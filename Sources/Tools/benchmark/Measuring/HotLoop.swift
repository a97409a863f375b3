import Platform
import SharedMemory

/// A row that is measured by a loop in this process.
struct HotRow {
  let row: Row
  /// The earlier row of the same loop whose time is subtracted, because the body includes its work.
  let less: String?
  /// Runs the body this number of times. The closure contains the loop, so that it has no calls in between.
  let run: (_ count: Int) throws -> Void

  init(_ row: Row, less: String? = nil, run: @escaping (_ count: Int) throws -> Void) {
    self.row = row
    self.less = less
    self.run = run
  }
}

/// Rows measured in turn, one slice each, so that a disturbance of the machine affects all of them.
///
/// The figure of a round is its fastest slice, because other processes only add time. The
/// clock is read twice per slice.
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
        // One slice to warm the caches, which contain the bytes of the previous row; a row with the memory
        // of the previous row would otherwise have an advantage.
        try hot.run(counts[index])
        let nanoseconds = try time { try hot.run(counts[index]) }
        slices[index].append(nanoseconds / Double(counts[index]))
      }
    }
    var times: [String: Double] = [:]
    for (hot, slices) in zip(hotRows, slices) {
      guard let time = slices.min() else { continue }
      // Not below the resolution of the clock, because noise may give a negative time.
      times[hot.row.id] = max(0.01, time - (hot.less.flatMap { times[$0] } ?? 0))
    }
    return hotRows.map(\.row).reduce(into: [:]) { figures, row in
      figures[row.id] = times[row.id].map(row.unit.figure(nanoseconds:))
    }
  }

  /// The number of iterations for a slice of the required length.
  private func calibrate(_ hot: HotRow) throws -> Int {
    var count = 1
    while true {
      let nanoseconds = try time { try hot.run(count) }
      if nanoseconds >= Double(pace.slice) { return count }
      // The first run may be slow, so that the count grows in steps.
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
