import Foundation
import Platform
import SharedMemory

/// The folder the app and its extension share, and the places in it.
///
/// ```
/// <root>/<group>/
///   Library/Preferences/<group>.plist            the flag
///   Library/Caches/Broadcast/frames.ring         the frames
///   Library/Caches/Broadcast/frame.article       the one frame of the layout "article"
///   Library/Caches/Broadcast/audio-app.ring      the sound of apps, and audio-mic.ring that of the microphone
///   Library/Caches/Broadcast/producer.lock       who broadcasts
/// ```
public struct AppGroupContainer: Sendable, Equatable {
  /// The id of the app group, such as `group.com.example.screenshare`.
  public let group: String
  /// The container's own folder.
  public let folder: String
  /// The folder that holds the containers; `nil` when the system gave the container.
  private let root: String?

  /// A container below a root folder of the caller's choice. Nothing is created yet; see ``prepare()``.
  public init(root: String, group: String) throws(Failure) {
    guard Self.isGroupID(group) else { throw .invalidGroup(group) }
    self.group = group
    self.root = root
    folder = root + "/" + group
  }

  /// The container of an app group as the system gives it.
  public init(group: String) throws(Failure) {
    guard Self.isGroupID(group) else { throw .invalidGroup(group) }
    guard let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
      throw .unknownGroup(group)
    }
    self.group = group
    root = nil
    folder = url.path
  }

  /// The key-value file: the app group's preferences, a property list.
  public var preferencesFile: String { preferencesFolder + "/\(group).plist" }
  /// The folder of the key-value file.
  public var preferencesFolder: String { folder + "/Library/Preferences" }
  /// The mapped frames; see ``FrameRingWriter``.
  public var framesFile: String { broadcastFolder + "/frames.ring" }
  /// The one mapped frame of the layout ``BroadcastLayout/article``.
  public var articleFile: String { broadcastFolder + "/frame.article" }
  /// The mapped sound of a stream; see ``AudioRingWriter``.
  public func audioFile(for stream: BroadcastAudioStream) -> String {
    switch stream {
    case .app: broadcastFolder + "/audio-app.ring"
    case .microphone: broadcastFolder + "/audio-mic.ring"
    }
  }
  /// The lock a producer holds for its life; see ``ProducerLock``.
  public var producerLockFile: String { broadcastFolder + "/producer.lock" }
  /// The output of a producer that the app launched.
  package var producerLogFile: String { broadcastFolder + "/producer.log" }
  /// The folder of everything that belongs to a running broadcast.
  public var broadcastFolder: String { folder + "/Library/Caches/Broadcast" }

  /// Creates the folders that are missing and checks the ones that are there: each a real folder, this
  /// user's, closed to others.
  public func prepare() throws(StorageError) {
    if let root { try PrivateFolder.prepareRoot(root) }
    for path in [
      folder, folder + "/Library", preferencesFolder, folder + "/Library/Caches", broadcastFolder,
    ] { try PrivateFolder.prepare(path) }
  }

  /// Whether a text has Apple's form of a group id: `group.` and at least one more name, of letters, digits
  /// and hyphens, divided by single dots; at most 128 bytes.
  public static func isGroupID(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 128 && names.count >= 2 && text.hasPrefix("group.")
      && names.allSatisfy { name in
        !name.isEmpty
          && name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }
}

extension AppGroupContainer {
  /// Why there is no such container.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text has not the form of a group id.
    case invalidGroup(String)
    /// The system knows no such group.
    case unknownGroup(String)

    /// One sentence: what is wrong, and the way out.
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
