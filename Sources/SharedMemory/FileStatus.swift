/// What the file system says of a file or folder.
struct FileStatus: Sendable {
  enum Kind: Sendable { case plainFile, folder, symbolicLink, other }

  /// Which file this is, whatever its name: it survives a rename.
  struct Identity: Equatable, Sendable {
    var device: UInt64
    var inode: UInt64
  }

  var kind: Kind
  var owner: UInt32
  /// The permission bits, 0…0o7777.
  var permissions: UInt32
  var byteCount: Int
  var identity: Identity
}
