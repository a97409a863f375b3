/// A folder only this user can enter: mode 0700, owned by the user, reached without following a link.
public enum PrivateFolder {
  /// Makes sure `path` is such a folder, creating it when it is not there.
  public static func prepare(_ path: String) throws(StorageError) {
    try make(path)
    let folder = try open(path)
    do {
      let status = try System.status(of: folder)
      guard status.owner == System.userID else {
        throw StorageError.foreignOwner(path: path, owner: status.owner)
      }
      if status.permissions & 0o077 != 0 { try System.changeMode(of: folder, to: 0o700) }
    } catch {
      throw StorageError(error)
    }
  }

  /// Makes sure `path` is a folder in which private folders are safe, creating it and its parents if need be.
  ///
  /// It may be shared, as `/tmp` is, but it must belong to this user or to the administrator: anybody else
  /// could exchange what is in it.
  public static func prepareRoot(_ path: String) throws(StorageError) {
    // With a slash behind it, a link would be followed.
    if path.count > 1, path.hasSuffix("/") { return try prepareRoot(String(path.dropLast())) }
    do throws(StorageError) {
      try make(path)
    } catch {
      guard error.isMissing, let parent = parent(of: path) else { throw error }
      try prepareParents(parent)
      try make(path)
    }
    let folder = try open(path)
    do {
      let status = try System.status(of: folder)
      guard status.owner == System.userID || status.owner == 0 else {
        throw StorageError.foreignOwner(path: path, owner: status.owner)
      }
    } catch {
      throw StorageError(error)
    }
  }

  /// Gives a folder of this user the mode 0700.
  public static func close(_ path: String) throws(StorageError) {
    do {
      let folder: FileDescriptor
      do throws(StorageError) { folder = try open(path) } catch {
        guard error.code == System.Code.accessDenied else { throw error }
        // A mode that shuts its owner out, who may change it all the same; nobody else may.
        return try System.changeMode(at: path, to: 0o700)
      }
      let status = try System.status(of: folder)
      guard status.isOwn else { throw StorageError.foreignOwner(path: path, owner: status.owner) }
      try System.changeMode(of: folder, to: 0o700)
    } catch {
      throw StorageError(error)
    }
  }

  /// Opens the folder itself, not what a link points to.
  package static func open(_ path: String) throws(StorageError) -> FileDescriptor {
    do {
      return try System.open(path, System.folder)
    } catch {
      // With O_NOFOLLOW and O_DIRECTORY a link answers ENOTDIR: look which of the two it is.
      guard error.code == System.Code.notADirectory || error.code == System.Code.symbolicLinkLoop else {
        throw .system(error)
      }
      let isLink: Bool
      do { isLink = try System.statusWithoutFollowing(path).kind == .symbolicLink } catch {
        throw .system(error)
      }
      throw isLink ? .symbolicLink(path: path) : .notAFolder(path: path)
    }
  }

  private static func make(_ path: String) throws(StorageError) {
    do {
      try System.makeFolder(path)
    } catch {
      switch error.code {
      case System.Code.exists: return
      case System.Code.notADirectory: throw .notAFolder(path: try lowestExisting(path))
      case System.Code.readOnlyFileSystem:
        // A folder that is already there needs no writing.
        do { _ = try System.statusWithoutFollowing(path) } catch let second {
          throw .system(second.code == System.Code.missing ? error : second)
        }
      default: throw .system(error)
      }
    }
  }

  /// Parents may be links to folders, as `/tmp` is on some systems.
  private static func prepareParents(_ path: String) throws(StorageError) {
    do throws(StorageError) {
      try make(path)
    } catch {
      guard error.isMissing, let parent = parent(of: path) else { throw error }
      try prepareParents(parent)
      try make(path)
    }
  }

  /// The part of `path` that is there, whatever it is.
  private static func lowestExisting(_ path: String) throws(StorageError) -> String {
    do throws(SystemError) {
      _ = try System.statusWithoutFollowing(path)
      return path
    } catch {
      guard error.code == System.Code.notADirectory, let parent = parent(of: path) else {
        throw .system(error)
      }
      return try lowestExisting(parent)
    }
  }

  private static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}
