import Foundation

/// How a broadcast ended.
public enum BroadcastEnding: Sendable {
  /// The handler called `finishBroadcastWithError`: the app had turned the flag off, or the handler failed or had
  /// reasons of its own.
  case byExtension(NSError)
  /// The person or the system stopped it.
  case bySystem
  /// What the screen shows is over.
  case endOfContent
  /// It ran for as long as was asked.
  case durationReached
  /// It delivered as many frames as were asked.
  case framesReached
  /// The screen has nothing to show any more.
  case contentFailed(ScreenContentError)

  /// One word for machines.
  public var reason: String {
    switch self {
    case .byExtension: failure == nil ? "stoppedByApp" : "extensionError"
    case .bySystem: "stoppedBySystem"
    case .endOfContent: "endOfSource"
    case .durationReached: "duration"
    case .framesReached: "frames"
    case .contentFailed: "sourceError"
    }
  }

  /// One sentence for people.
  var sentence: String {
    switch self {
    case .byExtension(let error):
      "The extension ended the broadcast: \(error.localizedDescription) (\(error.domain), code \(error.code))."
    case .bySystem: "The system stopped the broadcast."
    case .endOfContent: "The broadcast ended with its source."
    case .durationReached: "The broadcast ended after its duration."
    case .framesReached: "The broadcast ended after its last frame."
    case .contentFailed(let error): "The broadcast ended for want of a picture: \(error)."
    }
  }
}
