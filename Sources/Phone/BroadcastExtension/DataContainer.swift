import EmulatedSystem
import Foundation
import Platform
import ScreenBroadcast

/// The data container of an extension, which no other process uses: its home folder and its temporary folder.
///
/// As on a device, a launch finds what the one before left.
struct DataContainer {
  /// The folder of the containers on a disk, as recordings are large; beside the group's container if a person chose its place.
  let folder: String
  private var temporaryFolder: String { folder + "/tmp" }

  /// What a launch has found, by its path: a file that changes was written.
  private struct Content {
    var files: [String: (bytes: Int, changed: Date)] = [:]
  }
  private var found = Content()

  /// - Parameter root: the folder that a person chose for the containers; `nil` without a choice.
  init(of group: String, root: String?) {
    let root = root ?? AppGroupRoot.standard(isWritableFolder: { _ in false }).path
    folder = URL(filePath: root).appending(path: "Data/\(group)").standardizedFileURL.path
  }

  /// Makes the folders that are missing.
  func make() throws(FileError) {
    let parent = URL(filePath: folder).deletingLastPathComponent()
    // The root is missing too where the group's container is elsewhere, in memory.
    for folder in [parent.deletingLastPathComponent(), parent] { try PrivateFolder.prepareRoot(folder.path) }
    for name in ["", "/Documents", "/Library", "/Library/Caches", "/Library/Preferences", "/tmp"] {
      try PrivateFolder.prepare(folder + name)
    }
  }

  /// Makes the folders, and lets all code of this process find its home there. Before the handler is made: no other thread reads
  /// the environment yet.
  mutating func enter() throws(FileError) {
    try make()
    found = Self.content(of: folder)
    _ = System.temporaryFolder  // The emulator's own files stay there.
    let library = folder + "/Library"
    // Foundation takes the home from the second, and folders in it from the XDG variables, else from HOME.
    for (name, path) in [
      ("HOME", folder), ("CFFIXED_USER_HOME", folder), ("TMPDIR", temporaryFolder),
      ("XDG_CACHE_HOME", library + "/Caches"), ("XDG_DATA_HOME", library + "/Application Support"),
      ("XDG_CONFIG_HOME", library + "/Preferences"),
    ] {
      // UNSAFE: C strings for the call; see above.
      _ = unsafe setenv(name, path, 1)
    }
  }

  /// The files that were written since the launch, without preferences; the largest first.
  ///
  /// - Parameter end: when the handler returned from its last call.
  func written(end: Date?) -> [WroteEvent] {
    Self.content(of: folder).files.compactMap { path, now in
      if let before = found.files[path], before == now { return nil }
      return WroteEvent(
        file: path, bytes: now.bytes, secondsAfterEnd: Self.delay(of: now.changed, after: end))
    }.sorted { ($1.bytes, $0.file) < ($0.bytes, $1.file) }
  }

  /// The files of the group that were written after the end, without preferences and those of the emulator.
  static func writtenLate(in container: AppGroupContainer, end: Date?) -> [WroteEvent] {
    content(of: container.folder).files.compactMap { path, now in
      guard let delay = delay(of: now.changed, after: end), !path.hasPrefix(container.broadcastFolder) else {
        return nil
      }
      return WroteEvent(file: path, bytes: now.bytes, secondsAfterEnd: delay)
    }.sorted { $0.file < $1.file }
  }

  /// How long after the end a file changed; `nil` for less than a tenth of a second.
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
      // A file that vanishes meanwhile was not left.
      guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true,
        let bytes = values.fileSize, let changed = values.contentModificationDate
      else { continue }
      content.files[url.path] = (bytes, changed)
    }
    return content
  }
}
