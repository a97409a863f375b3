import CommandLineSupport

/// The results of a run.
struct Report {
  let machine: Machine
  let rounds: Int
  let isQuick: Bool
  /// The share of the machine that other processes used during the run, 0 to 1.
  let takenByOthers: Double
  let sizes: [(size: PixelSize, rows: [Measured])]

  /// Whether the figures are accurate: not for a debug build, a quick run, or a busy machine.
  var countsForBars: Bool { machine.build == "release" && !isQuick && takenByOthers < 0.2 }
}
