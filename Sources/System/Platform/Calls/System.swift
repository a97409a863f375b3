import CPlatform
import Glibc

/// Wrappers of Linux system calls. Each names its C function, throws a ``FileError``, and is repeated if a signal interrupts it.
package enum System {
  /// Makes a call that reports an error by -1 and `errno`, and repeats it as long as a signal interrupts it.
  package static func retrying<Result: SignedInteger>(
    _ call: String, _ path: String, _ body: () -> Result
  ) throws(FileError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let errno = Errno.current
      if errno != .interrupted { throw FileError(.call(call, errno), path) }
    }
  }

  /// The ID of this process. Wraps `getpid(2)`.
  package static var processID: Int32 { getpid() }

  /// Whether this process ignores a signal. For example, a process that `nohup` started ignores SIGHUP. Wraps `sigaction(2)`.
  package static func isIgnored(signal: Int32) -> Bool { is_signal_ignored(signal) != 0 }

  /// Makes a write to a pipe or socket without a reader fail with `EPIPE` instead of killing this process by SIGPIPE. Launched
  /// programs start with the default action. Wraps `sigaction(2)`.
  package static func ignoreBrokenPipes() { ignore_broken_pipes() }

  /// Whether the action of SIGPIPE is unchanged since ``ignoreBrokenPipes()``.
  package static var areBrokenPipesIgnored: Bool { are_broken_pipes_ignored() != 0 }

  /// The effective user ID of this process. Wraps `geteuid(2)`.
  package static var userID: UInt32 { geteuid() }

  /// The effective group ID of this process. Wraps `getegid(2)`.
  package static var groupID: UInt32 { getegid() }

  /// The size of a memory page in bytes. Wraps `sysconf(3)`.
  package static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The memory of the host in bytes.
  package static let memoryByteCount = UInt64(sysconf(Int32(_SC_PHYS_PAGES))) * UInt64(pageSize)

  /// The number of CPUs of the host, including those that are offline. Wraps `sysconf(3)`.
  package static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))
}

extension System {
  /// The numbers of the CPUs on which the calling thread may run (among the first 1,024). Wraps `sched_getaffinity(2)`.
  package static var allowedProcessors: [Int] {
    var words = noProcessors
    // UNSAFE: the call fills the array, which has its length.
    guard unsafe thread_processors(&words) != 0 else { return [] }
    return (0..<64 * words.count).filter { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
  }

  /// Restricts the calling thread, and the threads it creates, to some CPUs. Wraps `sched_setaffinity(2)`.
  package static func restrictThread(toProcessors numbers: [Int]) throws(FileError) {
    // If no bit is set, the call fails in the same way as for a CPU that does not exist.
    var words = noProcessors
    for number in numbers where (0..<64 * words.count).contains(number) {
      words[number / 64] |= 1 << (number % 64)
    }
    let names = numbers.map(String.init).joined(separator: ", ")
    // UNSAFE: the call reads the array, which has its length.
    _ = try retrying("sched_setaffinity", "processors \(names)") { unsafe thread_restrict(words) }
  }

  /// An empty CPU set, with one bit for each CPU, in the kernel's layout.
  private static let noProcessors = [UInt64](repeating: 0, count: Int(PROCESSOR_SET_WORDS))
}

// Mapped memory.
extension System {
  /// Maps the first bytes of a file. Wraps `mmap(2)`.
  package static func map(
    _ file: borrowing FileDescriptor, byteCount: Int, writable: Bool
  ) throws(FileError) -> UnsafeMutableRawPointer {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // UNSAFE: the kernel chooses the address; from here on the caller owns the range.
    let base = unsafe mmap(nil, byteCount, protection, MAP_SHARED, file.rawValue, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw FileError(.call("mmap", .current), file.path)
    }
    return unsafe base
  }

  /// Unmaps a range. Wraps `munmap(2)`.
  package static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    // UNSAFE: exactly the range that `map` returned; the call fails only for an invalid range.
    _ = unsafe munmap(base, byteCount)
  }

  /// Populates the pages of a range now instead of at the first access. Older kernels ignore it. Wraps `madvise(2)`.
  package static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int, forWriting: Bool) {
    let populateRead: Int32 = 22  // MADV_POPULATE_READ, Linux 5.14
    let populateWrite: Int32 = 23  // MADV_POPULATE_WRITE
    // UNSAFE: advice on a range the caller owns.
    _ = unsafe madvise(base, byteCount, forWriting ? populateWrite : populateRead)
  }
}
