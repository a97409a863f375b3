import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ScreenBroadcast

/// The data container of an extension (home folder and temporary folder), which no other process uses.
///
/// As on a device, a launch finds the files of earlier launches.
struct DataContainer {
  /// The folder of the container. It is on a disk, because recordings are large, or under the root that the person chose.
  let folder: String
  private var temporaryFolder: String { folder + "/tmp" }

  /// A snapshot of the files, by path. A file counts as written if its size or modification date has changed since.
  private struct Content {
    var files: [String: (bytes: Int, changed: Date)] = [:]
  }
  private var found = Content()

  /// - Parameter root: the root of the containers that the person chose; `nil` for the default.
  init(of group: String, root: String?) {
    let root = root ?? AppGroupRoot.standard(isWritableFolder: { _ in false }).path
    folder = URL(filePath: root).appending(path: "Data/\(group)").standardizedFileURL.path
  }

  private var folders: [String] {
    ["", "/Documents", "/Library", "/Library/Caches", "/Library/Preferences", "/tmp"].map { folder + $0 }
  }

  /// Creates the folders that are missing.
  func make() throws(FileError) {
    let parent = URL(filePath: folder).deletingLastPathComponent()
    // If the group's container is in memory, the default root on the disk may be missing too.
    for folder in [parent.deletingLastPathComponent(), parent] { try PrivateFolder.prepareRoot(folder.path) }
    for folder in folders { try PrivateFolder.prepare(folder) }
  }

  /// Sets the protection class of new files in the folders.
  func protect(_ type: FileProtectionType) throws(FileError) {
    for folder in folders { try ProtectedFiles.setProtection(type, of: folder) }
  }

  /// Creates the folders, and makes them the home of this process. Call it before the handler is created: no other thread
  /// reads the environment yet.
  mutating func enter() throws(FileError) {
    try make()
    found = Self.content(of: folder)
    _ = System.temporaryFolder  // The emulator's own files stay there.
    let library = folder + "/Library"
    // Foundation takes the home from `CFFIXED_USER_HOME`, and its folders from the XDG variables, otherwise from `HOME`.
    for (name, path) in [
      ("HOME", folder), ("CFFIXED_USER_HOME", folder), ("TMPDIR", temporaryFolder),
      ("XDG_CACHE_HOME", library + "/Caches"), ("XDG_DATA_HOME", library + "/Application Support"),
      ("XDG_CONFIG_HOME", library + "/Preferences"),
    ] {
      // UNSAFE: C strings for the call; see above.
      _ = unsafe setenv(name, path, 1)
    }
  }

  /// Returns the files written since the launch, except preferences, the largest first.
  ///
  /// - Parameter end: the time when the handler's last call returned.
  func written(end: Date?) -> [WroteEvent] {
    Self.content(of: folder).files.compactMap { path, now in
      if let before = found.files[path], before == now { return nil }
      return WroteEvent(
        file: path, bytes: now.bytes, secondsAfterEnd: Self.delay(of: now.changed, after: end))
    }.sorted { ($1.bytes, $0.file) < ($0.bytes, $1.file) }
  }

  /// Returns the files of the group that were written after `end`, except preferences and the emulator's own files.
  static func writtenLate(in container: AppGroupContainer, end: Date?) -> [WroteEvent] {
    content(of: container.folder).files.compactMap { path, now in
      guard let delay = delay(of: now.changed, after: end), !path.hasPrefix(container.broadcastFolder) else {
        return nil
      }
      return WroteEvent(file: path, bytes: now.bytes, secondsAfterEnd: delay)
    }.sorted { $0.file < $1.file }
  }

  /// Returns the seconds from `end` to the change of a file; `nil` below 0.1.
  static func delay(of change: Date, after end: Date?) -> Double? {
    end.map(change.timeIntervalSince).flatMap { $0 >= 0.1 ? $0 : nil }
  }

  private static func content(of folder: String) -> Content {
    var content = Content()
    let preferences = folder + "/Library/Preferences"
    let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey]
    let all = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: Array(keys))
    for case let url as URL in all ?? .init() where !url.path.hasPrefix(preferences) {
      // Skip a file that vanishes in the meantime.
      guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true,
        let bytes = values.fileSize, let changed = values.contentModificationDate
      else { continue }
      content.files[url.path] = (bytes, changed)
    }
    return content
  }
}
