import CPlatform
import Glibc

/// The system calls of this layer. Each names its C function, throws its error as a ``FileError`` and is repeated when a
/// signal interrupts it. They are built and tested on Linux.
package enum System {
  /// Makes a call that reports failure by -1 and `errno`, and repeats it while a signal interrupts it.
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

  /// The id of this process. The corresponding C function is `getpid`.
  package static var processID: Int32 { getpid() }

  /// Whether this process ignores a signal, as one that `nohup` started ignores SIGHUP. The corresponding C function is
  /// `sigaction`.
  package static func isIgnored(signal: Int32) -> Bool { is_signal_ignored(signal) != 0 }

  /// Makes a write to a pipe or socket without a reader fail with `EPIPE` instead of ending this process by SIGPIPE. Programs
  /// that this process launches begin with the default action. The corresponding C function is `sigaction`.
  package static func ignoreBrokenPipes() { ignore_broken_pipes() }

  /// Whether nothing has changed the action of SIGPIPE since ``ignoreBrokenPipes()``.
  package static var areBrokenPipesIgnored: Bool { are_broken_pipes_ignored() != 0 }

  /// The effective user of this process. The corresponding C function is `geteuid`.
  package static var userID: UInt32 { geteuid() }

  /// The effective group of this process. The corresponding C function is `getegid`.
  package static var groupID: UInt32 { getegid() }

  /// The size of a page of this machine in bytes. The corresponding C function is `sysconf`.
  package static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The memory of the machine in bytes.
  package static let memoryByteCount = UInt64(sysconf(Int32(_SC_PHYS_PAGES))) * UInt64(pageSize)

  /// The number of processors of this machine, including those that are switched off. The corresponding C function is
  /// `sysconf`.
  package static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))
}

extension System {
  /// The processors on which the calling thread may run, by number, at most the first 1,024. The corresponding C function
  /// is `sched_getaffinity`.
  package static var allowedProcessors: [Int] {
    var words = noProcessors
    // UNSAFE: the call fills the array, which has its length.
    guard unsafe thread_processors(&words) != 0 else { return [] }
    return (0..<64 * words.count).filter { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
  }

  /// Restricts the calling thread, and those it creates, to some processors. The corresponding C function is
  /// `sched_setaffinity`.
  package static func restrictThread(toProcessors numbers: [Int]) throws(FileError) {
    // Without a bit for any number, the call fails as for a processor that does not exist.
    var words = noProcessors
    for number in numbers where (0..<64 * words.count).contains(number) {
      words[number / 64] |= 1 << (number % 64)
    }
    let names = numbers.map(String.init).joined(separator: ", ")
    // UNSAFE: the call reads the array, which has its length.
    _ = try retrying("sched_setaffinity", "processors \(names)") { unsafe thread_restrict(words) }
  }

  /// A set of processors, a bit for each, as the kernel has it.
  private static let noProcessors = [UInt64](repeating: 0, count: Int(PROCESSOR_SET_WORDS))
}

// Mapped memory.
extension System {
  /// Maps the first bytes of a file. The corresponding C function is `mmap`.
  package static func map(
    _ file: borrowing FileDescriptor, byteCount: Int, writable: Bool
  ) throws(FileError) -> UnsafeMutableRawPointer {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // UNSAFE: the kernel chooses the address; the caller owns the range from here on.
    let base = unsafe mmap(nil, byteCount, protection, MAP_SHARED, file.rawValue, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw FileError(.call("mmap", .current), file.path)
    }
    return unsafe base
  }

  /// Unmaps a range. The corresponding C function is `munmap`.
  package static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    // UNSAFE: exactly the range that `map` returned. It can fail only for a range that is not one.
    _ = unsafe munmap(base, byteCount)
  }

  /// Populates the pages of a range now and not at the first access; older kernels ignore it. The corresponding C function
  /// is `madvise`.
  package static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int, forWriting: Bool) {
    let populateRead: Int32 = 22  // MADV_POPULATE_READ, Linux 5.14
    let populateWrite: Int32 = 23  // MADV_POPULATE_WRITE
    // UNSAFE: advice on a range the caller owns.
    _ = unsafe madvise(base, byteCount, forWriting ? populateWrite : populateRead)
  }
}
