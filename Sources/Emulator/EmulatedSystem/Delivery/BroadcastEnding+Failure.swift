import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

extension BroadcastEnding {
  /// What went wrong, for the program's exit; `nil` when the broadcast ended as it should.
  public var failure: ProgramFailure? {
    switch self {
    case .bySystem, .endOfContent, .durationReached, .framesReached: nil
    case .contentFailed(let error): ProgramFailure(error)
    case .byExtension(let error): Self.failure(error)
    }
  }

  /// Whether the error is the article's for an end the app asked for: code 1 of a domain that ends in
  /// `BroadcastExtension`, with no error beneath it. An extension can end itself only by an error.
  static func isOrdinaryEnd(_ error: NSError) -> Bool {
    error.domain.hasSuffix("BroadcastExtension") && error.code == SampleHandler.ErrorCode.completed.rawValue
      && error.userInfo[NSUnderlyingErrorKey] == nil
  }

  private static func failure(_ error: NSError) -> ProgramFailure? {
    if isOrdinaryEnd(error) { return nil }
    let text = error.localizedDescription
    let sentence = text.hasSuffix(".") ? text : text + "."
    switch error.userInfo[NSUnderlyingErrorKey] {
    case let cause as any CodedError: return ProgramFailure(errno: cause.code, sentence)
    case .some where error.domain == SampleHandler.errorDomain:
      return ProgramFailure(.internalError, sentence)
    default:
      // Another handler's own error, which only its authors can judge.
      return ProgramFailure(
        .endedByHandler,
        "The handler ended the broadcast with \(error.domain), code \(error.code): \(sentence)")
    }
  }
}

extension ProgramFailure {
  /// Why the emulated screen has nothing to show.
  public init(_ error: ScreenContentError) {
    self.init(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
  }
}
