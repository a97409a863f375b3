extension TemporaryFolder {
  /// Creates the folder of a suite, for the initial value of a property. If that fails, no test can run, so the process ends.
  ///
  /// - Parameter ofPrograms: whether files in it must be executable.
  package static func ofSuite(ofPrograms: Bool = false) -> TemporaryFolder {
    do { return try ofPrograms ? .ofPrograms() : TemporaryFolder() } catch { fatalError("\(error)") }
  }

  package var url: URL { URL(filePath: path) }

  /// Creates a folder whose files can be executed. Docker mounts `/dev/shm` with `noexec`.
  package static func ofPrograms() throws -> TemporaryFolder {
    try TemporaryFolder(in: TemporaryFolder.temporaryParent)
  }

  /// Whether this process may mount file systems, as root may in most containers.
  package static let canMount: Bool = (try? TemporaryFolder(diskSpace: 1 << 20)) != nil

  /// Whether this process may give files to other users, as root may outside a user namespace.
  package static let canGiveAway: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    // UNSAFE: the path is lent to the call as a C string.
    return unsafe chown(folder.path, 12345, 12345) == 0
  }()

  package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// Truncates or extends a file, as another process might.
package func setSize(of path: String, to byteCount: Int) {
  // UNSAFE: the path is lent to the call as a C string.
  let result = unsafe truncate(path, off_t(byteCount))
  precondition(result == 0, "\(path) cannot be resized")
}

/// Creates a folder, a pipe, a socket or a symbolic link.
package func makeFile(of kind: mode_t, at path: String, leadingTo target: String = "") throws {
  // UNSAFE: the paths are lent to the calls.
  let result =
    switch kind {
    case S_IFDIR: unsafe mkdir(path, 0o700)
    case S_IFLNK: unsafe symlink(target, path)
    default: unsafe mknod(path, kind | 0o600, 0)
    }
  guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

package func changeMode(of path: String, to mode: mode_t) throws {
  // UNSAFE: the path is lent to the call as a C string.
  guard unsafe chmod(path, mode) == 0 else { throw CocoaError(.fileWriteUnknown) }
}

/// Gives a file to another user, or to `user` and `group`, as root may (``TemporaryFolder/canGiveAway``).
package func giveAway(_ path: String, to user: uid_t = 12345, _ group: gid_t = 12345) throws {
  // UNSAFE: as above. If the path is a link, `lchown` changes the link itself.
  guard unsafe lchown(path, user, group) == 0 else { throw CocoaError(.fileWriteUnknown) }
}
