import CommandLineSupport
import Platform
import ScreenBroadcast
import SharedMemory

extension ProgramFailure {
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
