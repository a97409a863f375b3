import EmulatedDevice
import Foundation
import Platform
import Synchronization

/// Watches the folders of all defaults with one instance of inotify, because a user may have only 128.
final class DefaultsFolders: Sendable {
  /// A file whose changes are observed.
  struct File: Sendable {
    let name: String
    let folder: String
    let changes: DefaultsChanges
    /// Runs when the folder was removed.
    let release: @Sendable () -> Void
  }

  private static let shared = Mutex<DefaultsFolders?>(nil)

  private let notifications: FolderNotifications
  /// By the inotify watch of the folder.
  private let files = Mutex<[Int32: [File]]>([:])
  private let source: Mutex<any DispatchSourceRead>

  /// Observes the changes of a file from now on, on the main queue. The folder must exist.
  static func watch(_ file: File, in folder: String) throws(FileError) {
    let folders = try shared.withLock { shared throws(FileError) in
      if let shared { return shared }
      let new = try DefaultsFolders(folder)
      shared = new
      return new
    }
    try folders.files.withLock { files throws(FileError) in
      files[try folders.notifications.watch(folder), default: []].append(file)
    }
  }

  private init(_ folder: String) throws(FileError) {
    notifications = try FolderNotifications(of: .changes, for: folder)
    source = Mutex(DispatchSource.makeReadSource(fileDescriptor: notifications.rawValue, queue: .main))
    source.withLock { source in
      source.setEventHandler { [self] in takeChanges() }
      source.activate()
    }
  }

  private func takeChanges() {
    let events = notifications.take()
    let (changed, released) = files.withLock { files in
      let changed = files.flatMap { watch, files in
        files.filter { file in
          events.contains { $0.isOverflow || $0.watch == watch && $0.name == file.name }
        }
      }
      return (changed, events.filter(\.isEnd).flatMap { files.removeValue(forKey: $0.watch) ?? [] })
    }
    for file in changed {
      // In a test, each broadcast has its own device. The change is reported in the device's time.
      guard let device = Device.owning(path: file.folder) else {
        file.changes.noteChangeOfFile()
        continue
      }
      device.enqueue(.main) { file.changes.noteChangeOfFile() }
    }
    for file in released { file.release() }
  }
}
