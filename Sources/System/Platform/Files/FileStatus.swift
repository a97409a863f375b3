/// The type, owner, mode and size of a file or folder.
public struct FileStatus: Sendable {
  /// The type of a file.
  public enum Kind: Sendable {
    /// A regular file.
    case plainFile
    /// A folder.
    case folder
    /// A symbolic link.
    case symbolicLink
    /// A local socket.
    case socket
    /// A FIFO or a device.
    case other
  }

  /// The identity of a file, which survives a rename.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }

  /// The type of the file.
  public var kind: Kind
  /// The id of the user who owns it.
  public var owner: UInt32
  /// The permission bits, 0…0o7777.
  public var permissions: UInt32
  /// The size of a plain file in bytes.
  public var byteCount: Int
  package var identity: Identity

  /// Whether the user of this process owns it.
  public var isOwn: Bool { owner == System.userID }

  /// The status at `path`, of a symbolic link itself; `nil` if nothing is there.
  public static func look(at path: String) throws(StorageError) -> FileStatus? {
    do throws(SystemError) {
      return try System.statusWithoutFollowing(path)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw .system(error)
    }
  }
}
