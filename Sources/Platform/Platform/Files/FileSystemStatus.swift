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

  /// The file system of `path`.
  package static func read(at path: String) throws(StorageError) -> FileSystemStatus {
    do { return try System.fileSystem(of: path) } catch { throw .system(error) }
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
