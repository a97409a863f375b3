import Foundation

/// How a program ended, as the shell sees it. The numbers from 64 up follow `sysexits.h`.
public enum ExitCode: Int32, CaseIterable, Sendable {
  /// The program did what it was asked to.
  case ok = 0
  /// The command line could not be understood.
  case usage = 64
  /// A frame was not what the producer had sent, or a file that was looked into is malformed.
  case verificationFailed = 65
  /// What was asked for did not come within `--wait`.
  case nothingCame = 69
  /// A fault of the program itself.
  case internalError = 70
  /// A file or folder could not be made, or was already taken.
  case cannotCreate = 73
  /// A file could not be read or written.
  case inputOutput = 74
  /// The producer died without ending its broadcast.
  case producerCrashed = 75
  /// The handler ended the broadcast, or the recorder a capture, with an error.
  case endedByHandler = 76
  /// The permissions of a file or folder forbid it.
  case notPermitted = 77
  /// The container is not set up as both sides need it.
  case notInOrder = 78

  /// The exit code that says what an `errno` of the file system means to the person at the shell.
  public init(errno code: Int32) {
    self =
      switch code {
      case EACCES, EPERM, ELOOP: .notPermitted
      case ENOSPC, EDQUOT, EEXIST, ENOTDIR, EROFS, ENAMETOOLONG: .cannotCreate
      default: .inputOutput
      }
  }
}
