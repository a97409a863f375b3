/// Opening and replacing the files of a container.
///
/// A file of a container is a plain file of this user: never a symbolic link, a folder, a FIFO or a device,
/// and never somebody else's. The folders above it are 0700 and this user's, so what was checked stays true.
public enum PlainFile {
  package static func open(_ path: String, writable: Bool = false) throws(StorageError) -> FileDescriptor {
    try checked(path, flags: writable ? System.readWrite : System.readOnly)
  }

  package static func openOrCreate(_ path: String) throws(StorageError) -> FileDescriptor {
    try checked(path, flags: System.createOrOpen)
  }

  /// Creates a fresh empty file at `path`, in place of a leftover of that name.
  package static func create(_ path: String) throws(StorageError) -> FileDescriptor {
    do throws(SystemError) {
      do throws(SystemError) { try System.remove(path) } catch {
        if error.code != System.Code.missing { throw error }
      }
      return try System.open(path, System.createNew)
    } catch {
      throw .system(error)
    }
  }

  /// The bytes of the file at `path`, at most `limit` of them.
  public static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8] {
    let file = try open(path)
    do { return try System.read(file, limit: limit) } catch { throw .system(error) }
  }

  /// Puts a new file with these bytes in place of the one at `path`, in one step.
  ///
  /// A reader sees the old file or the new one, never a part. One writer at a time: hold a ``FolderLock``.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
    let temporary = path + ".new"
    let file = try create(temporary)
    do {
      try System.write(bytes, to: file)
      try System.synchronize(file)
      try System.rename(temporary, to: path)
    } catch {
      do { try System.remove(temporary) } catch let second { throw .system(second) }
      throw .system(error)
    }
  }

  /// Moves the file at `path` to `newPath`, on the same file system.
  public static func move(_ path: String, to newPath: String) throws(StorageError) {
    do { try System.rename(path, to: newPath) } catch { throw .system(error) }
  }

  /// Gives a plain file of this user the mode 0600.
  public static func close(_ path: String) throws(StorageError) {
    do {
      let file: FileDescriptor
      do throws(StorageError) { file = try open(path) } catch {
        guard error.code == System.Code.accessDenied else { throw error }
        // A mode that shuts its owner out, who may change it all the same; nobody else may.
        return try System.changeMode(at: path, to: 0o600)
      }
      try System.changeMode(of: file, to: 0o600)
    } catch {
      throw StorageError(error)
    }
  }

  /// Removes a plain file of this user; nothing else is touched. It may be gone already.
  public static func remove(_ path: String) throws(StorageError) {
    guard let status = try FileStatus.look(at: path) else { return }
    switch status.kind {
    case .plainFile: break
    case .symbolicLink: throw .symbolicLink(path: path)
    case .folder, .socket, .other: throw .notAPlainFile(path: path)
    }
    guard status.isOwn else { throw .foreignOwner(path: path, owner: status.owner) }
    do throws(SystemError) { try System.remove(path) } catch {
      if error.code != System.Code.missing { throw .system(error) }
    }
  }

  private static func checked(_ path: String, flags: Int32) throws(StorageError) -> FileDescriptor {
    do {
      let file = try System.open(path, flags)
      let status = try System.status(of: file)
      guard status.kind == .plainFile else { throw StorageError.notAPlainFile(path: path) }
      guard status.owner == System.userID else {
        throw StorageError.foreignOwner(path: path, owner: status.owner)
      }
      return file
    } catch {
      switch StorageError(error) {
      case .system(let error) where error.code == System.Code.symbolicLinkLoop:
        throw .symbolicLink(path: path)
      case .system(let error) where System.Code.notAFile.contains(error.code):
        throw .notAPlainFile(path: path)
      case let error: throw error
      }
    }
  }
}
