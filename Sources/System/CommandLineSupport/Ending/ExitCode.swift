import Foundation

/// The exit code of a program. The numbers from 64 follow `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case ok = 0
  case usage = 64
  case verificationFailed = 65
  case notJudged = 66
  case nothingCame = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case producerCrashed = 75
  case endedByHandler = 76
  case notPermitted = 77
  case notInOrder = 78

  /// Returns the exit code for an `errno` of the file system.
  package init(errno code: Int32) {
    self =
      switch code {
      case EACCES, EPERM, ELOOP: .notPermitted
      case ENOSPC, EDQUOT, EEXIST, ENOTDIR, EROFS, ENAMETOOLONG: .cannotCreate
      default: .inputOutput
      }
  }

  /// The meaning of the code, in the words of `--help`.
  package var meaning: String {
    switch self {
    case .ok: "success"
    case .usage: "the command line is invalid"
    case .verificationFailed:
      "a frame failed verification, a check or a scenario failed, a trace differs, or a file is malformed"
    case .notJudged:
      "a run, a configuration or a handler was not judged, because the host was overloaded, or input or an app is missing"
    case .nothingCame: "nothing came within --wait"
    case .internalError: "an internal error of the program"
    case .cannotCreate: "a file or folder could not be created, or already exists"
    case .inputOutput: "a file could not be read or written"
    case .producerCrashed: "the producer crashed"
    case .endedByHandler: "the handler ended the broadcast, or the recorder a capture, with an error"
    case .notPermitted: "not permitted"
    case .notInOrder: "the container or the configuration has problems"
    }
  }
}
