/// The type, owner, mode and size of a file or folder.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case plainFile
    case folder
    case symbolicLink
    case socket
    /// A terminal, `/dev/null` and others that keep nothing.
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
  /// The id of the user who owns it.
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits, 0…0o7777.
  package var permissions: UInt32
  /// The size of a plain file in bytes.
  package var byteCount: Int
  package var identity: Identity

  package var isOwn: Bool { owner == System.userID }

  /// Whether other users can rename and remove files in this folder: all, or those of a group that is neither this user's own
  /// nor root's, may write in it, and it lacks the sticky bit of `/tmp`.
  package var isOpenToOthers: Bool {
    let bits: UInt32 = [System.groupID, 0].contains(group) ? 0o002 : 0o022
    return permissions & bits != 0 && permissions & 0o1000 == 0
  }

  /// The status at `path`, of a symbolic link itself; `nil` if nothing is there.
  package static func read(at path: String) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try System.statusWithoutFollowing(path)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

/// The type of a file system and its free space.
package struct FileSystemStatus: Equatable, Sendable {
  /// Where a file system stores its files.
  package enum Place: Sendable {
    /// In memory, never on a disk.
    case memory
    /// On a disk of this machine: changed pages are written back later.
    case disk
    /// On another machine or in another program, which may not share locks and mapped bytes.
    case remote
  }

  /// Where it stores its files. An unknown type counts as a disk.
  package var place: Place
  /// The name of its type, such as `tmpfs`; the hexadecimal number of an unknown type.
  package var name: String
  /// The bytes that this user can still write.
  package var freeByteCount: UInt64
  package var takesFiles: Bool
  package var isReadOnly: Bool

  package init(
    place: Place, name: String, freeByteCount: UInt64, takesFiles: Bool = true, isReadOnly: Bool = false
  ) {
    self.place = place
    self.name = name
    self.freeByteCount = freeByteCount
    self.takesFiles = takesFiles
    self.isReadOnly = isReadOnly
  }

  /// The name and place of a type, by its number in `statfs`.
  static func kind(ofMagic magic: UInt64) -> (name: String, place: Place) {
    kinds[magic] ?? ("0x" + String(magic, radix: 16), .disk)
  }

  /// The usual types, by their numbers in `linux/magic.h` and in the sources of the others.
  private static let kinds: [UInt64: (name: String, place: Place)] = [
    0x0102_1994: ("tmpfs", .memory), 0x8584_58F6: ("ramfs", .memory), 0xEF53: ("ext4", .disk),
    0x5846_5342: ("xfs", .disk), 0x9123_683E: ("btrfs", .disk), 0x2FC1_2FC1: ("zfs", .disk),
    0xF2F5_2010: ("f2fs", .disk), 0x794C_7630: ("overlayfs", .disk), 0x4D44: ("vfat", .disk),
    0x6969: ("nfs", .remote), 0xFF53_4D42: ("cifs", .remote), 0xFE53_4D42: ("smb2", .remote),
    0x0102_1997: ("9p", .remote), 0x6573_5546: ("fuse", .remote), 0x00C3_6400: ("ceph", .remote),
    0x5346_414F: ("afs", .remote),
  ]
}
