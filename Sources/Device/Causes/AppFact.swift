/// The statistics of a second of the app, for the cause finder only. Programs print the event `stats` instead.
package struct AppFact: FactBody {
  package static let event = "appSecond"
  package var seconds: Double
  /// The frames per second that the app received (`framesPerSecond`), and could have received (`possible`).
  package var framesPerSecond: Double
  package var possible: Double
  package var framesTorn: UInt64
  /// Whether the app received too few frames.
  package var isShort: Bool
  /// How long its main thread was starved of CPU, in milliseconds.
  package var machineMs: Double

  package init(
    seconds: Double, framesPerSecond: Double, possible: Double, framesTorn: UInt64, isShort: Bool,
    machineMs: Double
  ) {
    self.seconds = seconds
    self.framesPerSecond = framesPerSecond
    self.possible = possible
    self.framesTorn = framesTorn
    self.isShort = isShort
    self.machineMs = machineMs
  }
}

/// A time in which the app did not run, for the cause finder only. Programs print the event `appSuspended` instead.
package struct AppStopFact: FactBody {
  package static let event = "appStop"
  package var seconds: Double
  /// Whether its process was suspended.
  package var wasStopped: Bool
  /// How long its main thread was starved of CPU, in milliseconds.
  package var machineMs: Double

  package init(seconds: Double, wasStopped: Bool, machineMs: Double) {
    self.seconds = seconds
    self.wasStopped = wasStopped
    self.machineMs = machineMs
  }
}
