import Dispatch
import Glibc

/// What a program needs from its process before it does anything else.
package enum ProcessResources {
  /// Why a program cannot run in this process.
  package enum Shortage: Error, Equatable, CodedError {
    /// The limit of open files leaves too few of them.
    case files
    /// The limit of address space leaves too little of it.
    case addressSpace
    /// The limit of the user's or container's threads leaves too few of them.
    case threads

    package var code: Int32 {
      switch self {
      case .files: Errno.tooManyOpenFiles.rawValue
      case .addressSpace: Errno.noMemory.rawValue
      case .threads: Errno.wouldBlock.rawValue
      }
    }

    package var description: String {
      switch self {
      case .files: "This process may open too few files; raise the limit, as with 'ulimit -n 256'"
      case .addressSpace:
        "This process has too little address space; raise the limit, as with 'ulimit -v 1000000'"
      case .threads:
        "This process may start too few threads; raise the limit of the user ('ulimit -u') or of the container"
      }
    }
  }

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

  /// Throws if the limits of the process leave less than a program needs: libdispatch ends a process that cannot open
  /// another file, and waits without an end where it cannot start another thread.
  package static func check() throws(Shortage) {
    try checkFiles()
    try checkAddressSpace()
    try checkThreads()
  }

  /// The files that a program with all its outputs opens, and some more.
  private static let fileCount = 32
  /// The threads of a program with all its outputs, and some more.
  private static let threadCount = 16
  /// The address space of a program's threads, heaps and frames, measured with the largest screen of a device.
  private static let addressSpaceByteCount = 256 << 20

  private static func checkFiles() throws(Shortage) {
    var copies: [Int32] = []
    defer { for copy in copies { _ = close(copy) } }
    for _ in 0..<fileCount {
      let copy = dup(STDIN_FILENO)
      guard copy >= 0 else { throw .files }
      copies.append(copy)
    }
  }

  private static func checkAddressSpace() throws(Shortage) {
    // UNSAFE: pages without access, which are unmapped at once.
    let base = unsafe mmap(
      nil, addressSpaceByteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw .addressSpace }
    unsafe System.unmap(base, byteCount: addressSpaceByteCount)
  }

  /// Holds the threads of the check until all of them run.
  private static let gate = DispatchSemaphore(value: 0)

  private static func checkThreads() throws(Shortage) {
    var threads: [pthread_t] = []
    // UNSAFE: the attributes are local, and destroyed when all threads are started.
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    // The address space has its own check.
    unsafe pthread_attr_setstacksize(&attributes, 128 << 10)
    defer {
      unsafe pthread_attr_destroy(&attributes)
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
    }
    for _ in 0..<threadCount {
      var thread = pthread_t()
      // UNSAFE: the thread has no argument, and has ended before this function returns.
      let result = unsafe pthread_create(
        &thread, &attributes,
        { _ in
          ProcessResources.gate.wait()
          return nil
        }, nil)
      guard result == 0 else { throw .threads }
      threads.append(thread)
    }
  }
}
