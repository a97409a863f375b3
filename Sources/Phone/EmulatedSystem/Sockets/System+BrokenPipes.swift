import CPhone
import CommandLineSupport
import Dispatch
import Glibc
import Platform

extension System {
  /// From now on a write to a socket whose other end is closed ends this process by SIGPIPE, as on a device, if the code that
  /// runs here has changed neither the action of the signal nor the socket by `SO_NOSIGPIPE`. `Network` and the streams of
  /// Foundation refuse the signal by themselves.
  package static func endOnBrokenPipes() {
    broken_pipe_set_hook { descriptor in
      // The emulator writes to the standard streams, too, and a shell may have made sockets of them.
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
