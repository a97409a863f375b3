import CommandLineSupport

/// Runs the selected measurements in rounds, each once per round.
struct Runner {
  let groups: [Group]
  let rounds: Int
  let pace: Pace
  let folder: String
  let cores: CorePair?
  /// Receives the progress: the round and the current measurement.
  let progress: (_ round: String, _ what: String) -> Void

  func run(_ size: PixelSize) throws -> [Measured] {
    let context = try Context(size: size, pace: pace, folder: folder, cores: cores)
    let all = try groups.flatMap { group in
      try group.measurements(context).map { (group: group, measurement: $0) }
    }
    var values: [String: [Double]] = [:]
    for round in 1...rounds {
      for (index, entry) in all.enumerated() where entry.measurement.obstacle == nil {
        progress(
          "\(size), round \(round) of \(rounds)",
          "\(index + 1) of \(all.count), \(entry.measurement.rows.first?.title ?? entry.group.rawValue)")
        for (id, value) in try entry.measurement.run(round: round) { values[id, default: []].append(value) }
      }
    }
    return all.flatMap { entry in
      entry.measurement.rows.enumerated().map { index, row in
        Measured(
          row: row, group: entry.group, values: values[row.id] ?? [],
          besides: row.beside.flatMap { values[$0] } ?? [], skipped: entry.measurement.obstacle,
          isFirst: index == 0)
      }
    }
  }
}
