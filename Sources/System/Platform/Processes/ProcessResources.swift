import CPlatform
import Glibc

/// Process setup that a program does first at startup.
package enum ProcessResources {
  /// Opens `/dev/null` on each of stdin, stdout and stderr that is closed. Otherwise the next file opened would reuse the
  /// descriptor and receive messages for the user.
  package static func openStandardStreams() {
    var descriptor: Int32
    repeat {
      // UNSAFE: the path is passed to the call as a C string.
      descriptor = unsafe open("/dev/null", O_RDWR)
    } while (0...STDERR_FILENO).contains(descriptor)
    if descriptor > STDERR_FILENO { _ = close(descriptor) }
  }

  /// Unblocks all signals. A program inherits the signal mask of the thread that launched it, and libdispatch threads block
  /// nearly all signals.
  package static func unblockSignals() {
    var none = sigset_t()
    // UNSAFE: the set is local, so the calls cannot fail.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// From now on, returns freed blocks of 256 KiB or more (images) to the system at once, as a device does. Otherwise each thread
  /// keeps some, and the number of active threads depends on the host load.
  package static func returnFreedBlocks() { return_freed_blocks(256 << 10) }

  /// The first resource limit that is too low for a program with all its outputs, as an `errno` and a message with the fix; `nil`
  /// if there is none. Checked early, because libdispatch crashes a process that is out of file descriptors, and hangs if it
  /// cannot start a thread.
  package static var shortage: (code: Int32, text: String)? {
    if !canOpen(32) {
      return (EMFILE, "The limit of open files is too low; raise it, for example with 'ulimit -n 256'.")
    }
    if isBelow(512 << 20, RLIMIT_AS) {
      return (
        ENOMEM, "The limit of address space is too low; raise it, for example with 'ulimit -v 1000000'."
      )
    }
    // Root is not subject to this limit.
    if geteuid() != 0, isBelow(16, __RLIMIT_NPROC) {
      return (EAGAIN, "The limit of threads is too low; raise it, for example with 'ulimit -u 256'.")
    }
    return nil
  }

  /// Whether this many files can be opened, in addition to the files that the launcher left open.
  private static func canOpen(_ count: Int) -> Bool {
    let copies = (0..<count).map { _ in dup(STDIN_FILENO) }
    for copy in copies where copy >= 0 { _ = close(copy) }
    return !copies.contains(-1)
  }

  private static func isBelow(_ least: rlim_t, _ resource: __rlimit_resource) -> Bool {
    var limit = rlimit()
    // UNSAFE: a local value, which the call fills.
    return unsafe getrlimit(Int32(resource.rawValue), &limit) == 0 && limit.rlim_cur < least
  }
}
