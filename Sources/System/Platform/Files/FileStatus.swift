/// The type, owner, mode and size of a file or folder.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case plainFile
    case folder
    case symbolicLink
    case socket
    /// A terminal, `/dev/null` or another character device. It stores nothing.
    case characterDevice
    /// A FIFO or a block device.
    case other
  }

  /// The identity of a file, which survives a rename.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }

  package var kind: Kind
  /// The ID of the user who owns the file.
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits (0…0o7777).
  package var permissions: UInt32
  /// The size of a plain file in bytes.
  package var byteCount: Int
  /// When the content changed last, since 1970.
  package var modified: Duration
  package var identity: Identity

  package var isOwn: Bool { owner == System.userID }

  /// Whether other users can rename and remove files in this folder. They can if the folder lacks the sticky bit and is writable
  /// for all, or for a group that is neither this user's nor root's.
  package var isOpenToOthers: Bool {
    let bits: UInt32 = [System.groupID, 0].contains(group) ? 0o002 : 0o022
    return permissions & bits != 0 && permissions & 0o1000 == 0
  }

  /// Returns the status at `path`; `nil` if nothing is there. For a symbolic link, it is the status of the link itself.
  package static func read(at path: String) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try System.statusWithoutFollowing(path)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}
