import CommandLineSupport
import Foundation

/// Everything a run found.
struct Report {
  let machine: Machine
  let rounds: Int
  let isQuick: Bool
  let sizes: [(size: Size, rows: [Measured])]

  /// Whether the figures say anything of how good the code is.
  var countsForBars: Bool { !machine.build.hasPrefix("debug") && !isQuick }
}
