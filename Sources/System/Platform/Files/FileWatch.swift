/// Tells when a file was replaced, written or removed, whether it is there or not.
///
/// The file's folder is watched, since a file that is replaced by rename is another one each time.
public final class FileWatch: Sendable {
  /// The path of the file.
  public let path: String
  private let notifications: FolderNotifications
  private let name: String

  /// Starts watching; the folder must be there.
  public init(path: String) throws(StorageError) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = String(parts.last ?? "")
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    do {
      notifications = try FolderNotifications(of: .changes, for: path)
      try notifications.watch(folder.isEmpty ? "/" : folder)
    } catch {
      throw .system(error)
    }
  }

  /// The descriptor that can be read when something happened; for a dispatch source or `poll`. It lives as long as
  /// this object.
  public var fileDescriptor: Int32 { notifications.rawValue }

  /// Takes what has happened in the folder since the last call; whether any of it concerned the file.
  public func takeChanges() -> Bool {
    // When too much happened to be told, the file may be meant.
    notifications.take().contains { $0.name == name || $0.isOverflow }
  }
}
