import Foundation
import Glibc
import Synchronization

/// Serializes child-process launches and the creation of their pipes.
///
/// Foundation's `Process` closes in the child each descriptor that it finds open before the launch. The child inherits a
/// descriptor that another thread opens after that. If the descriptor belongs to the launch of another child, the exit of that
/// child is noticed only when both have exited.
package enum ProcessLauncher {
  private static let turn = Mutex(())

  /// Starts `process`, as its `run()` does.
  package static func run(_ process: Process) throws { try turn.withLock { _ in try process.run() } }

  /// Returns a pipe for the streams of a process.
  package static func makePipe() -> Pipe { turn.withLock { _ in Pipe() } }
}

extension System {
  /// How a child process ended: its exit code, or the signal that killed it. `nil` while it runs, and after it was reaped. Wraps
  /// `waitid(2)` with `WNOWAIT`, so the child can still be reaped.
  package static func exitStatus(ofChild pid: Int32) -> (hasExited: Bool, status: Int32)? {
    var information = unsafe siginfo_t()
    // UNSAFE: the call fills the structure for a child process, as for SIGCHLD.
    guard unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0,
      unsafe information.si_signo == SIGCHLD
    else { return nil }
    return unsafe (Int(information.si_code) == CLD_EXITED, information._sifields._sigchld.si_status)
  }

  /// Replaces this process by a program, passing the path as its first argument. Returns only if it fails. Wraps `execv(3)`.
  package static func execute(_ path: String, _ arguments: [String]) -> FileError {
    // UNSAFE: each word is a copy, and the list ends with a null.
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe execv(path, &words)
    return FileError(.call("execv", .current), path)
  }
}
