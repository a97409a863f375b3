import CommandLineSupport
import Foundation
import SharedMemory

extension BroadcastEnding {
  /// What went wrong, for the program's exit; `nil` when the broadcast ended as it should.
  public var failure: ProgramFailure? {
    switch self {
    case .bySystem, .endOfContent, .durationReached, .framesReached: nil
    case .contentFailed(let error): ProgramFailure(error)
    case .byExtension(let error):
      // An extension can only end by an error: one with nothing beneath it is the ordinary end.
      switch error.userInfo[NSUnderlyingErrorKey] {
      case nil: nil
      case let cause as any CodedError: ProgramFailure(errno: cause.code, "\(error.localizedDescription).")
      default: ProgramFailure(.internalError, "\(error.localizedDescription).")
      }
    }
  }
}

extension ProgramFailure {
  /// Why the emulated screen has nothing to show.
  public init(_ error: ScreenContentError) {
    self.init(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
  }
}
