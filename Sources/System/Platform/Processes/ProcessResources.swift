import CPlatform
import Glibc

/// What a program needs from its process before it does anything else.
package enum ProcessResources {
  /// Opens `/dev/null` for each of standard input, output and error that is closed: the next file that is opened would get
  /// its number, and with it messages for a person.
  package static func openStandardStreams() {
    var descriptor: Int32
    repeat {
      // UNSAFE: the path is lent to the call as a C string.
      descriptor = unsafe open("/dev/null", O_RDWR)
    } while (0...STDERR_FILENO).contains(descriptor)
    if descriptor > STDERR_FILENO { _ = close(descriptor) }
  }

  /// Lets all signals arrive, as in a program that a shell starts. A program begins with the blocked signals of the thread
  /// that launched it, and those of libdispatch block nearly all.
  package static func unblockSignals() {
    var none = sigset_t()
    // UNSAFE: a local set, with which the calls cannot fail.
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// Gives freed blocks of the size of pictures back to the system at once from now on, as a device does. Without this each
  /// thread keeps some, and how many threads work depends on the load of the machine.
  package static func returnFreedBlocks() { return_freed_blocks(256 << 10) }

  /// The limit of the process that is below the needs of a program with all its outputs, as an `errno` and a sentence with
  /// the way out; `nil` if none is. libdispatch ends a process that cannot open another file, and waits without an end where
  /// it cannot start another thread.
  package static var shortage: (code: Int32, text: String)? {
    if !canOpen(32) {
      return (EMFILE, "This process may open too few files; raise the limit, as with 'ulimit -n 256'.")
    }
    if isBelow(512 << 20, RLIMIT_AS) {
      return (
        ENOMEM, "This process has too little address space; raise the limit, as with 'ulimit -v 1000000'."
      )
    }
    // The limit does not hold for root.
    if geteuid() != 0, isBelow(16, __RLIMIT_NPROC) {
      return (EAGAIN, "This process may start too few threads; raise the limit, as with 'ulimit -u 256'.")
    }
    return nil
  }

  /// Whether this number of files can be opened beside those that the launcher left open.
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
