import Foundation
import Platform
import ReplayKitCore
import SharedMemory

/// The folder that the app and its extension share, and the paths of its files.
///
/// ```
/// <root>/<group>/
///   Library/Preferences/<group>.plist            the flag
///   Library/Caches/Broadcast/frames.ring         the frames
///   Library/Caches/Broadcast/frame.article       the one frame of the layout "article"
///   Library/Caches/Broadcast/audio-app.ring      the audio of apps (audio-mic.ring: of the microphone)
///   Library/Caches/Broadcast/producer.lock       the lock of the extension that broadcasts
/// ```
public struct AppGroupContainer: Sendable, Equatable {
  /// The ID of the app group, such as `group.com.example.screenshare`.
  public let group: String
  /// The folder of the container.
  public let folder: String
  /// The parent folder of the containers; `nil` if the system assigned the container.
  private let root: String?

  /// Describes a container below a root folder chosen by the caller. Call ``prepare()`` to create it.
  public init(root: String, group: String) throws(Failure) {
    guard AppGroupRoot.isGroupID(group) else { throw .invalidGroup(group) }
    self.group = group
    self.root = root
    folder = root + "/" + group
  }

  /// Finds the container that the system assigns to an app group.
  public init(group: String) throws(Failure) {
    guard AppGroupRoot.isGroupID(group) else { throw .invalidGroup(group) }
    guard let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
      throw .unknownGroup(group)
    }
    self.group = group
    root = nil
    folder = url.path
  }

  /// The key-value file: the app group's preferences, as a property list.
  public var preferencesFile: String { preferencesFolder + "/\(group).plist" }
  /// The folder of the key-value file.
  public var preferencesFolder: String { folder + "/Library/Preferences" }
  /// The mapped frames (see ``FrameRingWriter``).
  public var framesFile: String { broadcastFolder + "/frames.ring" }
  /// The single mapped frame of the layout ``BroadcastLayout/article``.
  public var articleFile: String { broadcastFolder + "/frame.article" }
  /// Returns the path of the mapped audio of a stream (see ``AudioRingWriter``).
  public func audioFile(for stream: BroadcastAudioStream) -> String {
    switch stream {
    case .app: broadcastFolder + "/audio-app.ring"
    case .microphone: broadcastFolder + "/audio-mic.ring"
    }
  }
  /// The lock that a producer holds while it runs (see ``ProcessLock``).
  public var producerLockFile: String { broadcastFolder + "/producer.lock" }
  package var parentFolder: String { String(folder.dropLast(group.count + 1)) }
  /// The folder of all files of a running broadcast.
  public var broadcastFolder: String { folder + "/Library/Caches/Broadcast" }

  /// Creates the missing folders and checks the others. Throws if a path is not a folder, belongs to another user, or is open to
  /// other users.
  public func prepare() throws(FileError) {
    if let root { try PrivateFolder.prepareRoot(root) }
    for path in [
      folder, folder + "/Library", preferencesFolder, folder + "/Library/Caches", broadcastFolder,
    ] { try PrivateFolder.prepare(path) }
  }
}

extension AppGroupContainer {
  /// An error that prevents the use of a container.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The string does not have the form of a group ID.
    case invalidGroup(String)
    /// The system does not know the group.
    case unknownGroup(String)

    /// A sentence with the problem and the fix.
    public var description: String {
      switch self {
      case .invalidGroup(let group):
        "'\(group)' is not an app group id; write it like group.com.example.app, "
          + "with letters, digits and hyphens between the dots"
      case .unknownGroup(let group):
        "the app group '\(group)' is not available; add it to the entitlements of the app and its extension"
      }
    }
  }
}
