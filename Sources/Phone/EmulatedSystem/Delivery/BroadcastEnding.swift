import CommandLineSupport
import EmulatedDevice
import Foundation
import Platform
import ScreenBroadcast

package enum BroadcastEnding: Sendable {
  /// The handler called `finishBroadcastWithError`: the app turned the flag off, or the handler failed.
  case byExtension(NSError)
  /// The handler called `finishBroadcastGracefully`: the system shows no dialog.
  case gracefullyByExtension
  /// The person or the system stopped the broadcast.
  case bySystem
  case endOfContent, durationReached, framesReached
  case contentFailed(ScreenContentError)

  /// The machine-readable `reason` of the event `finished`.
  package var reason: String { row.reason }
  var sentence: String { row.sentence }
  /// Whether `broadcastFinished` is called. A handler that ended the broadcast itself gets no call.
  package var callsFinished: Bool { row.callsFinished }
  /// Whether samples that still wait a while after the end are dropped. Otherwise all are delivered.
  var dropsWaitingSamples: Bool { row.dropsSamples }

  private var row: (reason: String, sentence: String, callsFinished: Bool, dropsSamples: Bool) {
    switch self {
    case .byExtension(let error):
      (
        failure == nil ? "stoppedByApp" : "extensionError",
        "The extension ended the broadcast: \(error.textOnDevice) (\(error.domain), code \(error.code)).",
        false, false
      )
    case .gracefullyByExtension:
      ("endedByExtension", "The extension ended the broadcast without an error.", false, false)
    case .bySystem: ("stoppedBySystem", "The system stopped the broadcast.", true, true)
    case .endOfContent: ("endOfSource", "The broadcast ended with its source.", true, false)
    case .durationReached: ("duration", "The broadcast ended after its duration.", true, true)
    case .framesReached: ("frames", "The broadcast ended after its last frame.", true, false)
    case .contentFailed(let error):
      ("sourceError", "The broadcast ended because its source failed: \(error).", true, false)
    }
  }

  /// The program's failure; `nil` if the broadcast ended normally.
  package var failure: ProgramFailure? {
    switch self {
    case .gracefullyByExtension, .bySystem, .endOfContent, .durationReached, .framesReached: nil
    case .contentFailed(let error): ProgramFailure(error)
    case .byExtension(let error): Self.failure(error)
    }
  }

  private static func failure(_ error: NSError) -> ProgramFailure? {
    let text = error.textOnDevice
    let sentence = text.hasSuffix(".") || text.hasSuffix(".)") ? text : text + "."
    switch error.userInfo[NSUnderlyingErrorKey] {
    case nil
    where error.domain == SampleHandler.errorDomain
      && error.code == SampleHandler.ErrorCode.completed.rawValue:
      // The article's handler reports this error when the app requested the end.
      return nil
    case let cause as FileError: return ProgramFailure(errno: cause.code, sentence)
    case .some where error.domain == SampleHandler.errorDomain:
      return ProgramFailure(.internalError, sentence)
    default:
      // Only the author of another handler can judge its error.
      return ProgramFailure(
        .endedByHandler,
        "The handler ended the broadcast with \(error.domain), code \(error.code): \(sentence)")
    }
  }
}
