import Platform

/// Names called out among the processes of this user, through a folder: no payload, and nothing stays behind.
///
/// To post a name is to make a file and remove it; who listens watches the folder for removals. Nothing belongs to a
/// process, so nothing is left to clean up when one dies. Posts of one name that come close together may be heard as
/// one, the order of different names is kept. None is lost: after each post its name is heard at least once.
public final class NamedSignals: Sendable {
  /// What was heard.
  public struct Heard: Equatable, Sendable {
    /// The files of the names in the order of their posts, where posts of one name in a row may be one; see
    /// ``NamedSignals/fileName(for:)``.
    public var fileNames: [String] = []
    /// Whether names may be missing, because too many came or the folder was removed.
    public var isIncomplete = false
  }

  /// The folder, below which nothing but these files is kept.
  public let folder: String
  private let root: String
  private let notifications: FolderNotifications

  /// Listens at `folder` of `root`; both are made when they are not there.
  public init(root: String, folder: String) throws(StorageError) {
    self.root = root
    self.folder = root + "/" + folder
    do { notifications = try FolderNotifications(of: .removals, for: self.folder) } catch {
      throw .system(error)
    }
    try watch()
  }

  /// The descriptor that can be read when something was posted; for a dispatch source or `poll`. It lives as long as
  /// this object.
  public var fileDescriptor: Int32 { notifications.rawValue }

  /// Posts `name` to whoever listens at `folder` of `root`.
  public static func post(_ name: String, root: String, folder: String) throws(StorageError) {
    let path = root + "/" + folder
    try prepare(root: root, path: path)
    let file = path + "/" + fileName(for: name)
    // Another process may post the same name: between its making and its removal the file is not made anew. The
    // removal that follows comes after both have begun to post, and is heard as both.
    _ = try PlainFile.openOrCreate(file)
    do { try System.remove(file) } catch {
      if error.errno != .noSuchFileOrDirectory { throw .system(error) }
    }
  }

  /// The file that stands for a name, whatever is in it: never a path, and never longer than a file's name may be.
  public static func fileName(for name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !text.isEmpty: text += "."
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    if text.isEmpty { return "%" }
    guard text.utf8.count > longestName else { return text }
    // FNV-1a: names so long are told apart by their beginning, length and this.
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return "\(text.prefix(longestName))~\(name.utf8.count)~\(String(hash, radix: 16))"
  }

  private static let longestName = 200

  /// Takes what was posted since the last call.
  public func take() throws(StorageError) -> Heard {
    var heard = Heard()
    var isWatching = true
    for event in notifications.take() {
      if event.isRemoval, heard.fileNames.last != event.name { heard.fileNames.append(event.name) }
      if event.isOverflow { heard.isIncomplete = true }
      if event.isEnd { isWatching = false }
    }
    if !isWatching {
      heard.isIncomplete = true
      try watch()
    }
    return heard
  }

  private func watch() throws(StorageError) {
    try Self.prepare(root: root, path: folder)
    do { try notifications.watch(folder) } catch { throw .system(error) }
  }

  private static func prepare(root: String, path: String) throws(StorageError) {
    try PrivateFolder.prepareRoot(root)
    try PrivateFolder.prepare(path)
  }
}
