import CommandLineSupport

/// Everything a run found.
struct Report {
  let machine: Machine
  let rounds: Int
  let isQuick: Bool
  /// The part of the machine that other processes took meanwhile, 0 to 1.
  let takenByOthers: Double
  let sizes: [(size: Size, rows: [Measured])]

  /// Whether the figures say anything of how good the code is.
  var countsForBars: Bool { !machine.build.hasPrefix("debug") && !isQuick }
}
