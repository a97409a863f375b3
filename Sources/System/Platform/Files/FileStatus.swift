/// What the file system says of a file or folder.
public struct FileStatus: Sendable {
  /// What it is.
  public enum Kind: Sendable {
    /// A file with bytes of its own.
    case plainFile
    /// A folder.
    case folder
    /// A symbolic link, whatever it points to.
    case symbolicLink
    /// A local socket.
    case socket
    /// A FIFO or a device.
    case other
  }

  /// Which file this is, whatever its name: it survives a rename.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }

  /// What it is.
  public var kind: Kind
  /// The user it belongs to.
  public var owner: UInt32
  /// The permission bits, 0…0o7777.
  public var permissions: UInt32
  /// The size of a plain file in bytes.
  public var byteCount: Int
  package var identity: Identity

  /// Whether it belongs to the user of this process.
  public var isOwn: Bool { owner == System.userID }

  /// What is at `path` itself, not behind a link there; `nil` when nothing is.
  public static func look(at path: String) throws(StorageError) -> FileStatus? {
    do throws(SystemError) {
      return try System.statusWithoutFollowing(path)
    } catch {
      if error.code == System.Code.missing { return nil }
      throw .system(error)
    }
  }
}
