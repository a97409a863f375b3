import Foundation

/// A folder that only this user can enter: it has mode 0700, belongs to the user, and is opened without following links.
public enum PrivateFolder {
  /// Ensures that `path` is a private folder, and creates it if it is missing.
  public static func prepare(_ path: String) throws(FileError) {
    try make(path)
    let folder = try open(path)
    let status = try System.status(of: folder)
    guard status.owner == System.userID else {
      throw FileError(.foreignOwner(status.owner), path)
    }
    if status.permissions & 0o077 != 0 { try System.changeMode(of: folder, to: 0o700) }
  }

  /// Ensures that `path` is a folder in which private folders are safe, and creates it if it is missing. It does not create a
  /// missing parent, or a folder directly in `/`: the path is then probably mistyped.
  ///
  /// The folder and the folders above it may be shared, like `/tmp`. Each must belong to this user or to root, and must have the
  /// sticky bit if others can write to it. Otherwise another user could exchange its content.
  public static func prepareRoot(_ path: String) throws(FileError) {
    // A trailing slash would make the call follow a link.
    if path.count > 1, path.hasSuffix("/") { return try prepareRoot(String(path.dropLast())) }
    try checkWay(to: parent(of: path) ?? String(path.prefix { $0 == "/" }))
    if path.lastIndex(of: "/") != path.startIndex { try make(path) }
    let folder = try open(path)
    try check(try System.status(of: folder), at: path, mayBelongTo: 0)
  }

  /// Ensures that no other user can exchange a folder on the way to `path`, or a link on it. Missing folders are created later by
  /// this user.
  private static func checkWay(to path: String, links: Int = 40) throws(FileError) {
    if links == 0 {
      throw FileError(.call("readlink", .tooManySymbolicLinkLevels), path)
    }
    let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    var folder = ""
    for name in (start + path).split(separator: "/") {
      let parent = folder
      folder += "/\(name)"
      guard let status = try FileStatus.read(at: folder) else { return }
      try check(status, at: folder, mayBelongTo: rootOfParents)
      if status.kind == .folder { continue }
      // A plain file is rejected later, when a folder is to be created in it.
      guard status.kind == .symbolicLink else { return }
      let target: String
      do { target = try FileManager.default.destinationOfSymbolicLink(atPath: folder) } catch {
        throw FileError(.call("readlink", .noSuchFileOrDirectory), folder)
      }
      try checkWay(to: target.hasPrefix("/") ? target : parent + "/" + target, links: links - 1)
    }
  }

  private static func check(
    _ status: FileStatus, at path: String, mayBelongTo root: UInt32
  ) throws(FileError) {
    guard [System.userID, 0, root].contains(status.owner) else {
      throw FileError(.foreignOwner(status.owner), path)
    }
    // The mode of a link has no meaning.
    if status.kind != .symbolicLink, status.isOpenToOthers { throw FileError(.openToOthers, path) }
  }

  /// The owner of root's folders, such as `/`. In a user namespace that does not map root, it is the overflow user.
  private static let rootOfParents: UInt32 = {
    let all = "0 0 4294967295"
    do {
      let map = try String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
      return map.split(whereSeparator: \.isWhitespace).joined(separator: " ") == all ? 0 : 65534
    } catch {
      return 0
    }
  }()

  /// Opens the folder, and rejects a symbolic link.
  package static func open(_ path: String) throws(FileError) -> FileDescriptor {
    do {
      return try System.open(path, System.folder)
    } catch {
      // With O_NOFOLLOW and O_DIRECTORY, opening a link also fails with ENOTDIR.
      guard error.errno == .notDirectory || error.errno == .tooManySymbolicLinkLevels else {
        throw error
      }
      let kind: FileStatus.Kind?
      // The second error adds nothing to the first.
      do { kind = try System.statusWithoutFollowing(path).kind } catch { kind = nil }
      throw FileError(kind == .symbolicLink ? .symbolicLink : .notAFolder, path)
    }
  }

  private static func make(_ path: String) throws(FileError) {
    do {
      try System.makeFolder(path)
    } catch {
      switch error.errno {
      case .fileExists: return
      case .notDirectory: throw FileError(.notAFolder, try lowestExisting(path))
      case .readOnlyFileSystem:
        // An existing folder needs no write access.
        do { _ = try System.statusWithoutFollowing(path) } catch let second {
          throw second.isMissing ? error : second
        }
      default: throw error
      }
    }
  }

  /// Returns the longest prefix of `path` that exists.
  private static func lowestExisting(_ path: String) throws(FileError) -> String {
    do throws(FileError) {
      _ = try System.statusWithoutFollowing(path)
      return path
    } catch {
      guard error.errno == .notDirectory, let parent = parent(of: path) else {
        throw error
      }
      return try lowestExisting(parent)
    }
  }

  private static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}
