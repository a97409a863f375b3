import CPlatform
import Glibc
import Platform

/// Accesses the sockets of other processes of this user, found in `/proc`.
package enum ProcessSockets {
  /// Shuts down each socket of a process, as iOS does when it suspends an app: connections end, and listening sockets
  /// refuse connections. If the process has no sockets, no rights are needed. Sockets to its ancestors stay open:
  /// Foundation watches a child process by a socket that the child's own children inherit.
  ///
  /// Wraps `pidfd_open(2)`, `pidfd_getfd(2)` and `shutdown(2)`. Throws if the process has exited, or may not be traced.
  package static func shutDown(of pid: Int32) throws(FileError) {
    let folder = ProcessFiles.path("fd", of: pid)
    let numbers = try ProcessFiles.numbers(in: folder).filter { isSocket("\(folder)/\($0)") }
    guard !numbers.isEmpty else { return }
    let ancestors = ProcessState.ancestors(of: pid)
    let process = FileDescriptor(
      try System.retrying("pidfd_open", folder) { process_open(pid) }, path: folder)
    for number in numbers {
      let socket = FileDescriptor(
        try System.retrying("pidfd_getfd", folder) { process_descriptor(process.rawValue, number) },
        path: "\(folder)/\(number)")
      if let peer = peer(of: socket), ancestors.contains(peer) { continue }
      // The call may fail for a socket without a connection, and takes effect anyway.
      _ = Glibc.shutdown(socket.rawValue, Int32(SHUT_RDWR))
    }
  }

  /// Allows other processes of this user to shut down the sockets of this process, even if the system allows that only to
  /// its ancestors. Wraps `prctl(2)` with `PR_SET_PTRACER`.
  package static func allowShutDown() { allow_tracing() }

  /// Returns the paths of the local sockets that a process has open, as it passed them to `bind`.
  package static func boundPaths(of pid: Int32) throws(FileError) -> [String] {
    let own = try ProcessFiles.openFiles(of: pid)
    return try ProcessFiles.text(ProcessFiles.path("net/unix", of: nil)).split(separator: "\n").compactMap {
      // The seventh field is the inode of the socket, 0 before it is accepted. The rest is the path.
      let fields = $0.split(separator: " ", maxSplits: 7)
      guard fields.count == 8, fields[6] != "0", own.contains("socket:[\(fields[6])]") else { return nil }
      return String(fields[7])
    }
  }

  /// Returns the process at the other end of a local socket; `nil` for another kind of socket.
  private static func peer(of socket: borrowing FileDescriptor) -> Int32? {
    // The structure `ucred`, which Swift's module of the C library omits.
    var credentials: (pid: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    // UNSAFE: the option's value is a local variable of its type.
    let code = unsafe getsockopt(socket.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return code == 0 && credentials.pid > 0 ? credentials.pid : nil
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    // UNSAFE: the path is passed as a C string for the call; the result is a local variable. `stat` follows the link to the
    // open file. A descriptor that was closed since then is not a socket.
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFSOCK
  }
}
