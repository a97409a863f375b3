import Foundation

/// A folder that only this user can enter: mode 0700, owned by the user, opened without following a link.
public enum PrivateFolder {
  /// Makes sure that `path` is such a folder, and creates it if it is missing.
  public static func prepare(_ path: String) throws(FileError) {
    try make(path)
    let folder = try open(path)
    let status = try System.status(of: folder)
    guard status.owner == System.userID else {
      throw FileError(.foreignOwner(status.owner), path)
    }
    if status.permissions & 0o077 != 0 { try System.changeMode(of: folder, to: 0o700) }
  }

  /// Makes sure that `path` is a folder in which private folders are safe, and creates it if it is missing. Its parent must
  /// exist and is not the top folder: a mistyped path is an error.
  ///
  /// It and the folders above it may be shared, as `/tmp` is, but each must belong to this user or to root, and have the
  /// sticky bit if others can write in it: another user could exchange its content.
  public static func prepareRoot(_ path: String) throws(FileError) {
    // With a slash at its end, a link would be followed.
    if path.count > 1, path.hasSuffix("/") { return try prepareRoot(String(path.dropLast())) }
    try checkWay(to: parent(of: path) ?? String(path.prefix { $0 == "/" }))
    if path.lastIndex(of: "/") != path.startIndex { try make(path) }
    let folder = try open(path)
    try check(try System.status(of: folder), at: path, mayBelongTo: 0)
  }

  /// Makes sure that no other user can exchange a folder on the way to `path`, or a link on it. What is missing is made by
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
      // A file is refused when a folder is to be made in it.
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
    // The mode of a link says nothing.
    if status.kind != .symbolicLink, status.isOpenToOthers { throw FileError(.openToOthers, path) }
  }

  /// The owner of root's folders, such as `/`: in a user namespace that does not map root, the user of all that is not mapped.
  private static let rootOfParents: UInt32 = {
    let all = "0 0 4294967295"
    do {
      let map = try String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
      return map.split(whereSeparator: \.isWhitespace).joined(separator: " ") == all ? 0 : 65534
    } catch {
      return 0
    }
  }()

  /// Opens the folder; a symbolic link is refused.
  package static func open(_ path: String) throws(FileError) -> FileDescriptor {
    do {
      return try System.open(path, System.folder)
    } catch {
      // With O_NOFOLLOW and O_DIRECTORY the error of a link is ENOTDIR too.
      guard error.errno == .notDirectory || error.errno == .tooManySymbolicLinkLevels else {
        throw error
      }
      let kind: FileStatus.Kind?
      // A second error says nothing of the first one.
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
        // An existing folder needs no writing.
        do { _ = try System.statusWithoutFollowing(path) } catch let second {
          throw second.isMissing ? error : second
        }
      default: throw error
      }
    }
  }

  /// The longest part of `path` that exists.
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
