import Foundation
import LaunchedPrograms
import PhoneLink
import Platform
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves the test out where a process may not end the sockets of another one, as the suspension of an app does.
  /// The default rules of Docker forbid it.
  package static var endsOtherSockets: Self {
    .enabled(
      if: OtherSockets.canBeEnded,
      "allow processes to trace each other, as with 'docker run --cap-add SYS_PTRACE'")
  }
}

private enum OtherSockets {
  /// Foundation gives each child process a socket.
  static let canBeEnded: Bool = {
    do {
      let child = try ChildProcess(URL(filePath: "/bin/sleep"), ["60"])
      defer { child.kill() }
      try ProcessSockets.shutDown(of: child.pid)
      return true
    } catch {
      return false
    }
  }()
}
