import CPhone
import CommandLineSupport
import Dispatch
import Glibc
import Platform

extension System {
  /// Ends this process with SIGPIPE when it writes to a socket whose other end is closed, as on a device. This does not
  /// apply if the process has changed the action of the signal, or has set `SO_NOSIGPIPE` on the socket. `Network` and
  /// Foundation's streams suppress the signal themselves.
  package static func endOnBrokenPipes() {
    broken_pipe_set_hook { descriptor in
      // The emulator also writes to the standard streams, which may be sockets.
      guard descriptor > STDERR_FILENO, System.areBrokenPipesIgnored, System.isSocket(descriptor),
        !System.isQuiet(descriptor)
      else { return }
      StandardStream.error.write(System.brokenPipe + "\n")
      StandardStream.error.flush(within: .seconds(1))
      _ = Glibc.signal(SIGPIPE, SIG_DFL)
      ProcessResources.unblockSignals()
      raise(SIGPIPE)
    }
  }

  private static let brokenPipe =
    "A write to a socket whose other end is closed: SIGPIPE ends the process, as on a device. Set SO_NOSIGPIPE on the "
    + "socket, or call signal(SIGPIPE, SIG_IGN)."
}
