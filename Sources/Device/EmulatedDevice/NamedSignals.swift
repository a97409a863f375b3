import Dispatch
import Foundation
import Platform
import Synchronization

/// Signals without a payload between the processes of a user, through a folder.
///
/// A post creates a file and removes it; a receiver watches the folder for removals. Every post removes its file, so nothing
/// needs to be cleaned up, even after a crash. Posts of the same name in quick succession may be coalesced. The order of
/// different names is kept, and every post is followed by at least one arrival of its name.
package final class NamedSignals: Sendable {
  /// The folder below the root for the notifications of the Darwin notification center and of the device.
  package static let standardFolder = "DarwinNotifications"

  package struct Posts: Equatable, Sendable {
    /// The file names in the order of the posts (see ``NamedSignals/fileName(for:)``).
    package var fileNames: [String] = []
    /// Whether names may be missing, because there were too many or the folder was removed or renamed.
    package var isIncomplete = false
  }

  package let folder: String
  private let root: String
  private let notifications: FolderNotifications
  /// The watch of the folder at the path; `nil` while the folder is missing.
  private let watch = Mutex<Int32?>(nil)

  /// The time until the next attempt if a folder cannot be watched, in seconds.
  private static let retryTime = 0.5

  /// Starts receiving from `folder` of `root`, and creates both if they are missing.
  package init(root: String, folder: String = standardFolder) throws(FileError) {
    self.root = root
    self.folder = root + "/" + folder
    notifications = try FolderNotifications(of: .removals, for: self.folder)
    try begin()
  }

  /// Calls `body` with the file names of arriving signals (`nil`: names may be missing), until the returned observation is
  /// released.
  package static func observe(
    root: String, queue: DispatchQueue = .main, _ body: @escaping @Sendable ([String?]) -> Void
  ) throws(FileError) -> DeviceObservation {
    let signals = try NamedSignals(root: root)
    // UNSAFE: a source may be used from any thread.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(
      fileDescriptor: signals.notifications.rawValue, queue: queue)
    // The event handler retains `signals`, so the descriptor stays open until the source is cancelled.
    unsafe source.setEventHandler { signals.deliver(on: queue, body) }
    unsafe source.activate()
    return DeviceObservation { unsafe source.cancel() }
  }

  private func deliver(
    on queue: DispatchQueue, isRepeated: Bool = false, _ body: @escaping @Sendable ([String?]) -> Void
  ) {
    do throws(FileError) {
      let posts = try take()
      body(posts.isIncomplete ? [nil] : posts.fileNames)
    } catch {
      if !isRepeated { NSLog("%@", "Notifications are not received until this is fixed: \(error)") }
      queue.asyncAfter(deadline: .now() + Self.retryTime) { [weak self] in
        self?.deliver(on: queue, isRepeated: true, body)
      }
    }
  }

  /// Posts `name` to the receivers at `folder` of `root`.
  package static func post(
    _ name: String, root: String, folder: String = standardFolder
  ) throws(FileError) {
    let path = root + "/" + folder
    try prepare(root: root, path: path)
    let file = path + "/" + fileName(for: name)
    // Another process may post the same name at the same time. The single removal then arrives after both posts began, so it
    // counts for both.
    _ = try PlainFile.openOrCreate(file)
    try System.removeIfPresent(file)
  }

  /// Returns the file name for any signal name. It is never a path, and never too long for a file name.
  package static func fileName(for name: String) -> String {
    var text = name.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    if text.isEmpty { return "%" }
    if text.hasPrefix(".") { text = "%2E" + text.dropFirst() }
    guard text.utf8.count > maximumNameLength else { return text }
    // Long names are distinguished by their prefix, their length and an FNV-1a hash.
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return "\(text.prefix(maximumNameLength))~\(name.utf8.count)~\(String(hash, radix: 16))"
  }

  private static let maximumNameLength = 200
  private static let plainCharacters = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")

  /// Returns the posts since the last call. After an error, posts are missed until a call succeeds.
  package func take() throws(FileError) -> Posts {
    var posts = Posts()
    var present = watch.withLock { $0 }
    for event in notifications.take() {
      if event.isOverflow { posts.isIncomplete = true }
      guard event.watch == present else { continue }
      if event.isRemoval, posts.fileNames.last != event.name { posts.fileNames.append(event.name) }
      if event.isMove { notifications.end(event.watch) }
      if event.isMove || event.isEnd { present = nil }
    }
    if present == nil {
      posts.isIncomplete = true
      watch.withLock { $0 = nil }
      try begin()
    }
    return posts
  }

  private func begin() throws(FileError) {
    try Self.prepare(root: root, path: folder)
    let new = try notifications.watch(folder)
    watch.withLock { $0 = new }
  }

  private static func prepare(root: String, path: String) throws(FileError) {
    try PrivateFolder.prepareRoot(root)
    try PrivateFolder.prepare(path)
  }
}
