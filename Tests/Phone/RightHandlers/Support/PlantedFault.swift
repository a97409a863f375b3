import Foundation

/// A fault that a handler has when `$PLANTED_FAULT` names it.
enum PlantedFault: String {
  // Of `PoolHandler`.
  case holdsSamples
  // Of `JPEGSocketHandler`.
  case leaksFrames, sendsLate, staysBusy
  // Of each handler that makes pictures.
  case takesWidthForRow, ignoresOrientation, mirrors
  // Of the app.
  case blanksAtRest
  // Of `HEVCHandler`.
  case shiftsSound, mixesSound
  // Of `PictureFileHandler`.
  case writesInPlace

  private static let planted = ProcessInfo.processInfo.environment["PLANTED_FAULT"]

  var isPlanted: Bool { rawValue == Self.planted }
}
