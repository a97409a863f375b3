import CommandLineSupport
import ScreenBroadcast
import SharedMemory

extension ProgramFailure {
  /// A failure of the container's files: the exit code comes from the nearest `errno`.
  public init(_ error: some CodedError) {
    self.init(errno: error.code, "\(error).")
  }

  /// What keeps the app from following a broadcast.
  init(_ failure: BroadcastFailure) {
    switch failure {
    case .status(let error): self.init(error)
    case .frames(let error): self.init(error)
    case .audio(let error): self.init(error)
    case .picture(let error): self.init(.internalError, "\(error).")
    }
  }
}
