import Causes
import Foundation
import Platform

/// Records how the picture files in a folder and its subfolders are written and read.
final class PictureFiles {
  /// The uses of the file with one name.
  struct Use {
    /// How often the file was written under this name. A write to another name and a rename do not count.
    var writes = 0
    var reads = 0
    var isWritten = false
  }

  private let root: String
  private let notifications: FolderNotifications
  private var folders: [Int32: String] = [:]
  private(set) var uses: [String: Use] = [:]

  private static let suffixes = [".jpg", ".jpeg", ".png", ".heic"]

  init(below root: String) throws(FileError) {
    self.root = root
    notifications = try FolderNotifications(of: .use, for: root)
  }

  /// Processes the notifications, and watches new folders.
  func look() {
    for event in notifications.take() { note(event) }
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      // Skip a folder that vanishes. A folder that is watched already keeps its number.
      do throws(FileError) {
        let path = "\(root)/\(name)"
        if try FileStatus.read(at: path)?.kind == .folder { folders[try notifications.watch(path)] = path }
      } catch {}
    }
  }

  private func note(_ event: FolderNotifications.Event) {
    guard let folder = folders[event.watch], Self.suffixes.contains(where: event.name.lowercased().hasSuffix)
    else { return }
    let path = "\(folder)/\(event.name)"
    var use = uses[path] ?? Use()
    if event.isWrite { use.isWritten = true }
    if event.isEndOfReading { use.reads += 1 }
    if event.isEndOfWriting, use.isWritten { (use.isWritten, use.writes) = (false, use.writes + 1) }
    uses[path] = use
  }

  /// Returns warnings for pictures that are repeatedly written in place while something reads them. It is not known whether
  /// the accesses are synchronized.
  func causes(at time: MonotonicTime) -> [Cause] {
    uses.filter { $1.writes >= 3 && $1.reads > 0 }.sorted { $0.key < $1.key }.map { path, use in
      Cause(
        .fileWrong, "read while written", .warning, from: time,
        "\((path as NSString).lastPathComponent) is written in place \(use.writes) times, and read \(use.reads) times."
      )
    }
  }
}
