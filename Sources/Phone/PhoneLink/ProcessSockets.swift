import CPlatform
import Glibc
import Platform

/// The sockets of another process of this user, from `/proc`.
package enum ProcessSockets {
  /// Ends both directions of each socket of a process, as iOS does when it suspends an app: connections are at their end,
  /// and a listening socket refuses connections. A process without sockets needs no rights. Sockets to its ancestors stay:
  /// Foundation watches a child process by one, which the children of that process inherit.
  ///
  /// The corresponding C functions are `pidfd_open`, `pidfd_getfd` and `shutdown`. Throws if the process has exited, or
  /// may not be traced.
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
      // A socket without a connection has nothing to end.
      _ = Glibc.shutdown(socket.rawValue, Int32(SHUT_RDWR))
    }
  }

  /// Lets other processes of this user end the sockets of this one, where the system allows that only to its ancestors. The
  /// corresponding C function is `prctl` with `PR_SET_PTRACER`.
  package static func allowShutDown() { allow_tracing() }

  /// The paths of the local sockets that a process has open now, as it gave them.
  package static func boundPaths(of pid: Int32) throws(FileError) -> [String] {
    let own = try ProcessFiles.openFiles(of: pid)
    return try ProcessFiles.text(ProcessFiles.path("net/unix", of: nil)).split(separator: "\n").compactMap {
      // The seventh column is the number of the socket, 0 before it is accepted; the path is the rest.
      let fields = $0.split(separator: " ", maxSplits: 7)
      guard fields.count == 8, fields[6] != "0", own.contains("socket:[\(fields[6])]") else { return nil }
      return String(fields[7])
    }
  }

  /// The process at the other end of a local socket; `nil` for another socket.
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
    // UNSAFE: the path is lent to the call as a C string; the result is a local variable. `stat` follows the link to the
    // open file. A descriptor that was closed since is no socket.
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFSOCK
  }
}
