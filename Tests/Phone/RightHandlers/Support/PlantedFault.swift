import Foundation

/// A fault that a handler has when `$PLANTED_FAULT` names it.
enum PlantedFault: String {
  // In `PoolHandler`.
  case holdsSamples
  // In `JPEGSocketHandler`.
  case leaksFrames, sendsLate, staysBusy
  // In each handler that encodes pictures.
  case takesWidthForRow, ignoresOrientation, mirrors
  // In the app.
  case blanksAtRest
  // In `HEVCHandler`.
  case shiftsSound, mixesSound
  // In `PictureFileHandler`.
  case writesInPlace

  private static let planted = ProcessInfo.processInfo.environment["PLANTED_FAULT"]

  var isPlanted: Bool { rawValue == Self.planted }
}
