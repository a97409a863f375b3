import Causes
import Foundation
import Platform

/// How the pictures of a folder and those below it are written and read.
final class PictureFiles {
  /// What happened to the file of a name.
  struct Use {
    /// How often it was written by this name. One that is replaced by a rename is written by another.
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

  /// Takes what happened, and watches the folders that are new.
  func look() {
    for event in notifications.take() { note(event) }
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      // A folder that vanishes is not watched. One that is watched keeps its number.
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

  /// The pictures that are written again and again in place, while something reads them. What guards them is not known.
  func causes(at time: MonotonicTime) -> [Cause] {
    uses.filter { $1.writes >= 3 && $1.reads > 0 }.sorted { $0.key < $1.key }.map { path, use in
      Cause(
        .fileWrong, "read while written", .warning, from: time,
        "\((path as NSString).lastPathComponent) is written in place \(use.writes) times, and read \(use.reads) times."
      )
    }
  }
}
