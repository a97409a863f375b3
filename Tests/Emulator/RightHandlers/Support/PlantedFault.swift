import Foundation

/// A fault that a handler has when `$PLANTED_FAULT` names it.
enum PlantedFault: String {
  // Of `PoolHandler`.
  case leavesLocked, holdsSamples
  // Of `JPEGSocketHandler`.
  case leaksFrames, computesLong, staysSilent, sendsLate
  // Of each handler that makes pictures.
  case takesWidthForRow, ignoresOrientation, mirrors
  // Of the app.
  case blanksAtRest
  // Of `MovieHandler`.
  case endsNever, leavesUnfinished, startsEarly
  // Of `HEVCHandler`.
  case shiftsSound
  // Of `PictureFileHandler`.
  case crashesAtAnnotation, writesLate, writesInPlace

  private static let planted = ProcessInfo.processInfo.environment["PLANTED_FAULT"]

  var isPlanted: Bool { rawValue == Self.planted }

  /// Uses a processor for 30 ms of its time, however busy the machine is.
  static func compute() {
    let end = threadTime() + 0.03
    while threadTime() < end {}
  }

  private static func threadTime() -> TimeInterval {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }
}
