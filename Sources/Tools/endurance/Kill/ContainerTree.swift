import Foundation
import ScreenBroadcast

/// What lies in a container, against what is documented to lie there.
struct ContainerTree {
  private let paths: Set<String>
  private let group: String

  /// What lies in a container now.
  init(of container: AppGroupContainer) throws {
    group = container.group
    paths = Set(try FileManager.default.subpathsOfDirectory(atPath: container.folder))
  }

  /// A tree of these paths.
  init(paths: Set<String>, group: String) { (self.paths, self.group) = (paths, group) }

  /// What is there while nobody broadcasts and the last one left in order.
  private var atRest: Set<String> {
    [
      "Library", "Library/Preferences", "Library/Preferences/\(group).plist", "Library/Caches",
      "Library/Caches/Broadcast", "Library/Caches/Broadcast/producer.lock",
    ]
  }

  /// What may be there besides while somebody is at work, or after somebody died at it.
  private var atWork: Set<String> {
    [
      "Library/Preferences/\(group).plist.new", "Library/Caches/Broadcast/frames.ring",
      "Library/Caches/Broadcast/frames.ring.new", "Library/Caches/Broadcast/control",
    ]
  }

  /// The number of files and folders.
  var count: Int { paths.count }

  /// What should not be there.
  func leaks(isAtRest: Bool) -> [String] {
    paths.subtracting(atRest).subtracting(isAtRest ? [] : atWork).sorted()
  }

  /// What should be there at rest and is not.
  var missing: [String] { atRest.subtracting(paths).sorted() }
}
