import CommandLineSupport
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
  package var reason: String {
    switch self {
    case .byExtension: failure == nil ? "stoppedByApp" : "extensionError"
    case .gracefullyByExtension: "endedByExtension"
    case .bySystem: "stoppedBySystem"
    case .endOfContent: "endOfSource"
    case .durationReached: "duration"
    case .framesReached: "frames"
    case .contentFailed: "sourceError"
    }
  }

  /// Whether samples that still wait a while after the end are dropped. Otherwise all are delivered.
  var dropsWaitingSamples: Bool {
    switch self {
    case .bySystem, .durationReached: true
    case .byExtension, .gracefullyByExtension, .endOfContent, .framesReached, .contentFailed: false
    }
  }

  /// Whether `broadcastFinished` is called. A handler that ended the broadcast itself gets no call.
  package var callsFinished: Bool {
    switch self {
    case .byExtension, .gracefullyByExtension: false
    case .bySystem, .endOfContent, .durationReached, .framesReached, .contentFailed: true
    }
  }

  var sentence: String {
    switch self {
    case .byExtension(let error):
      "The extension ended the broadcast: \(error.textOnDevice) (\(error.domain), code \(error.code))."
    case .gracefullyByExtension: "The extension ended the broadcast without an error."
    case .bySystem: "The system stopped the broadcast."
    case .endOfContent: "The broadcast ended with its source."
    case .durationReached: "The broadcast ended after its duration."
    case .framesReached: "The broadcast ended after its last frame."
    case .contentFailed(let error): "The broadcast ended because its source failed: \(error)."
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
