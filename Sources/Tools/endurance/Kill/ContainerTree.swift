import Foundation
import ScreenBroadcast

/// The paths in a container, compared with the documented ones.
struct ContainerTree {
  private let paths: Set<String>
  private let group: String

  init(of container: AppGroupContainer) throws {
    group = container.group
    paths = Set(try FileManager.default.subpathsOfDirectory(atPath: container.folder))
  }

  init(paths: Set<String>, group: String) { (self.paths, self.group) = (paths, group) }

  /// The paths without a broadcast, after one that ended in order.
  private var atRest: Set<String> {
    [
      "Library", "Library/Preferences", "Library/Preferences/\(group).plist", "Library/Caches",
      "Library/Caches/Broadcast", "Library/Caches/Broadcast/producer.lock",
    ]
  }

  /// Further paths that are allowed during a broadcast or after a crash.
  private var atWork: Set<String> {
    [
      "Library/Preferences/\(group).plist.new", "Library/Caches/Broadcast/frames.ring",
      "Library/Caches/Broadcast/frames.ring.new", "Library/Caches/Broadcast/control",
    ]
  }

  /// The number of files and folders.
  var count: Int { paths.count }

  /// The paths that should not exist.
  func leaks(isAtRest: Bool) -> [String] {
    paths.subtracting(atRest).subtracting(isAtRest ? [] : atWork).sorted()
  }

  /// The paths that should exist at rest and do not.
  var missing: [String] { atRest.subtracting(paths).sorted() }
}
