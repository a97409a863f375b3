/// A watch of a file that may be replaced, written, removed or still missing.
///
/// It watches the folder, because each replacement by a rename is another file.
public final class FileWatch: Sendable {
  /// The path of the file.
  public let path: String
  private let notifications: FolderNotifications
  private let name: String

  /// Starts the watch. The folder must exist.
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

  /// The descriptor that becomes readable with a change, for a dispatch source or `poll`. It is valid while this object
  /// lives.
  public var fileDescriptor: Int32 { notifications.rawValue }

  /// Whether the file has changed since the last call.
  public func takeChanges() -> Bool {
    // The lost changes may concern the file.
    notifications.take().contains { $0.name == name || $0.isOverflow }
  }
}
