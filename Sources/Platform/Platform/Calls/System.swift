import CPlatform
import Glibc

/// The system calls of this layer. Each names its C function, throws its error as a ``SystemError`` and is repeated when a
/// signal interrupts it. They are built and tested on Linux.
package enum System {
  /// Makes a call that reports failure by -1 and `errno`, and repeats it while a signal interrupts it.
  package static func retrying<Result: SignedInteger>(
    _ call: String, _ path: String, _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let errno = Errno.current
      if errno != .interrupted { throw SystemError(call: call, path: path, errno: errno) }
    }
  }

  /// The id of this process. The corresponding C function is `getpid`.
  package static var processID: Int32 { getpid() }

  /// Whether this process ignores a signal, as one that `nohup` started ignores SIGHUP. The corresponding C function is
  /// `sigaction`.
  package static func isIgnored(signal: Int32) -> Bool { is_signal_ignored(signal) != 0 }

  /// The effective user of this process. The corresponding C function is `geteuid`.
  package static var userID: UInt32 { geteuid() }

  /// The effective group of this process. The corresponding C function is `getegid`.
  package static var groupID: UInt32 { getegid() }

  /// The size of a page of this machine in bytes. The corresponding C function is `sysconf`.
  package static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The largest page of Linux on x86-64 and arm64, in bytes. A part of a file that is mapped on its own begins at a
  /// multiple, so that the file is the same on all machines.
  @inlinable
  package static var largestPageSize: Int { 64 << 10 }

  /// The number of processors of this machine, including those that are switched off. The corresponding C function is
  /// `sysconf`.
  package static let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))
}
