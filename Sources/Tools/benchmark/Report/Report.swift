import CommandLineSupport

/// Everything a run found.
struct Report {
  let machine: Machine
  let rounds: Int
  let isQuick: Bool
  /// The part of the machine that other processes took meanwhile, 0 to 1.
  let takenByOthers: Double
  let sizes: [(size: PixelSize, rows: [Measured])]

  /// Whether the figures say anything of how good the code is: not those of a debug build, of a hurried run, or of a
  /// machine that had other things to do.
  var countsForBars: Bool { machine.build == "release" && !isQuick && takenByOthers < 0.2 }
}
