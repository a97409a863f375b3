import Glibc

/// Opens, replaces and removes the files of a container.
///
/// A file of a container is a plain file of this user, never a symbolic link, a folder, a FIFO, a device or a file of another
/// user. The folders above it belong to this user and have mode 0700, so a check of the path stays valid.
public enum PlainFile {
  /// Opens a plain file of this user.
  package static func open(_ path: String, writable: Bool = false) throws(FileError) -> FileDescriptor {
    try checked(path, flags: writable ? System.readWrite : System.readOnly)
  }

  /// Opens a plain file of this user, and creates it if it is missing.
  package static func openOrCreate(_ path: String) throws(FileError) -> FileDescriptor {
    try checked(path, flags: System.createOrOpen)
  }

  /// Creates an empty file at `path`. It replaces a leftover of the same name.
  package static func create(_ path: String) throws(FileError) -> FileDescriptor {
    do throws(FileError) {
      try System.removeIfPresent(path)
      return try System.open(path, System.createNew)
    } catch {
      throw error.errno == .isDirectory ? FileError(.notAPlainFile, path) : error
    }
  }

  /// Returns the first bytes of the file at `path`, at most `limit`.
  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try open(path)
    return try System.read(file, limit: limit)
  }

  /// Replaces the file at `path` atomically: a reader sees either the old file or the new one.
  ///
  /// The new file is first written under the name `path` + ".new". Two writers of the same path must exclude each other, by a
  /// ``FolderLock`` or because only the holder of the producer's lock writes it.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = path + ".new"
    let file = try create(temporary)
    do {
      try System.write(bytes, to: file)
      try System.synchronize(file)
      try move(temporary, to: path)
    } catch {
      System.removeLeftover(temporary)
      throw error
    }
  }

  /// Replaces the file at `path`. If the file system is full, it overwrites the file in place, padded with line feeds to its old
  /// length.
  package static func replaceOrOverwrite(_ path: String, with bytes: [UInt8]) throws(FileError) {
    do { try replace(path, with: bytes) } catch let full {
      guard [ENOSPC, EDQUOT].contains(full.code) else { throw full }
      do { try overwrite(path, with: bytes, padding: UInt8(ascii: "\n")) } catch { throw full }
    }
  }

  /// Overwrites the file at `path` in place. The file does not shrink: `padding` fills it up to its old length.
  ///
  /// For a full file system, on which ``replace(_:with:)`` has no room for a second file. A reader may see a part of the bytes.
  package static func overwrite(_ path: String, with bytes: [UInt8], padding: UInt8) throws(FileError) {
    let file = try open(path, writable: true)
    let byteCount = try System.status(of: file).byteCount
    // Reserve first: a write that runs out of space halfway would destroy the content.
    if bytes.count > byteCount { try System.reserve(bytes.count, in: file) }
    let rest = [UInt8](repeating: padding, count: max(0, byteCount - bytes.count))
    try System.write(bytes + rest, to: file)
    try System.synchronize(file)
  }

  /// Moves the file at `path` to `newPath` on the same file system, and replaces a file there.
  public static func move(_ path: String, to newPath: String) throws(FileError) {
    do { try System.rename(path, to: newPath) } catch {
      throw error.errno == .isDirectory ? FileError(.notAPlainFile, newPath) : error
    }
  }

  /// Removes a plain file of this user if it exists. Throws for anything else at the path.
  public static func remove(_ path: String) throws(FileError) {
    guard let status = try FileStatus.read(at: path) else { return }
    switch status.kind {
    case .plainFile: break
    case .symbolicLink: throw FileError(.symbolicLink, path)
    case .folder, .socket, .characterDevice, .other: throw FileError(.notAPlainFile, path)
    }
    guard status.isOwn else { throw FileError(.foreignOwner(status.owner), path) }
    try System.removeIfPresent(path)
  }

  private static func checked(_ path: String, flags: Int32) throws(FileError) -> FileDescriptor {
    do throws(FileError) {
      let file = try System.open(path, flags)
      let status = try System.status(of: file)
      guard status.kind == .plainFile else { throw FileError(.notAPlainFile, path) }
      guard status.owner == System.userID else {
        throw FileError(.foreignOwner(status.owner), path)
      }
      return file
    } catch {
      guard case .call(_, let errno) = error.reason else { throw error }
      if errno == .tooManySymbolicLinkLevels { throw FileError(.symbolicLink, path) }
      throw notAFile.contains(errno) ? FileError(.notAPlainFile, path) : error
    }
  }

  /// The errors of opening a folder for writing, a socket, or a device without a driver.
  private static let notAFile: [Errno] = [
    .isDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice,
  ]
}
