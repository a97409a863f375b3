/// What kind of file system a folder is on, and what room is left there.
public struct FileSystemStatus: Equatable, Sendable {
  /// Where the bytes of its files are.
  public enum Place: Sendable {
    /// In memory: nothing is ever written to a disk.
    case memory
    /// On a disk of this machine: changed pages are written back by and by.
    case disk
    /// With another machine or program, which may not share locks and mapped bytes as this machine does.
    case remote
  }

  /// Where the bytes of its files are. A kind that is not known counts as a disk.
  public var place: Place
  /// The name of its kind, such as `tmpfs`; its number in hexadecimal when it is not known.
  public var name: String
  /// The bytes this user may still take.
  public var freeByteCount: UInt64
  /// Whether another file can be made. Many file systems have no such limit.
  public var takesFiles: Bool
  /// Whether nothing can be written there.
  public var isReadOnly: Bool

  /// A file system from its parts.
  public init(
    place: Place, name: String, freeByteCount: UInt64, takesFiles: Bool = true, isReadOnly: Bool = false
  ) {
    self.place = place
    self.name = name
    self.freeByteCount = freeByteCount
    self.takesFiles = takesFiles
    self.isReadOnly = isReadOnly
  }

  /// The file system that `path` is on.
  public static func look(at path: String) throws(StorageError) -> FileSystemStatus {
    do { return try System.fileSystem(of: path) } catch { throw .system(error) }
  }

  /// Name and place of a kind, by the number that `statfs` gives it.
  static func kind(ofMagic magic: UInt64) -> (name: String, place: Place) {
    kinds[magic] ?? ("0x" + String(magic, radix: 16), .disk)
  }

  /// The kinds that containers are seen on, by the numbers in `linux/magic.h` and the drivers of the others.
  private static let kinds: [UInt64: (name: String, place: Place)] = [
    0x0102_1994: ("tmpfs", .memory), 0x8584_58F6: ("ramfs", .memory), 0xEF53: ("ext4", .disk),
    0x5846_5342: ("xfs", .disk), 0x9123_683E: ("btrfs", .disk), 0x2FC1_2FC1: ("zfs", .disk),
    0xF2F5_2010: ("f2fs", .disk), 0x794C_7630: ("overlayfs", .disk), 0x4D44: ("vfat", .disk),
    0x6969: ("nfs", .remote), 0xFF53_4D42: ("cifs", .remote), 0xFE53_4D42: ("smb2", .remote),
    0x0102_1997: ("9p", .remote), 0x6573_5546: ("fuse", .remote), 0x00C3_6400: ("ceph", .remote),
    0x5346_414F: ("afs", .remote),
  ]
}
