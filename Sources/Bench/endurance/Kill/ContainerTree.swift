import Foundation
import ScreenBroadcast
import ToolSupport

/// The paths in a container, compared with the documented ones.
struct ContainerTree {
  let paths: Set<String>
  let group: String

  /// The paths without a broadcast, after one that ended in order.
  private var atRest: Set<String> {
    [
      "Library", "Library/Preferences", "Library/Preferences/\(group).plist", "Library/Caches",
      "Library/Caches/Broadcast", "Library/Caches/Broadcast/producer.lock",
    ]
  }

  /// A path that an app leaves, and that workers in its place do not.
  private let ofApps: Set<String> = ["Library/Caches/Broadcast/app.lock"]

  /// Further paths that are allowed during a broadcast or after a crash.
  private var atWork: Set<String> {
    [
      "Library/Preferences/\(group).plist.new", "Library/Caches/Broadcast/frames.ring",
      "Library/Caches/Broadcast/frames.ring.new", "Library/Caches/Broadcast/control",
    ]
  }

  func leaks(isAtRest: Bool) -> [String] {
    paths.subtracting(atRest).subtracting(ofApps).subtracting(isAtRest ? [] : atWork).sorted()
  }

  var missing: [String] { atRest.subtracting(paths).sorted() }

  /// Throws if a container has other files than it should; returns the number of its files and folders.
  @discardableResult
  static func check(_ container: AppGroupContainer, isAtRest: Bool) throws -> Int {
    let paths = Set(try FileManager.default.subpathsOfDirectory(atPath: container.folder))
    let tree = ContainerTree(paths: paths, group: container.group)
    let (leaks, missing) = (tree.leaks(isAtRest: isAtRest), isAtRest ? tree.missing : [])
    let container = isAtRest ? "at rest the container" : "the container"
    try expect(leaks.isEmpty, "\(container) contains \(leaks.joined(separator: ", "))")
    try expect(missing.isEmpty, "\(container) lacks \(missing.joined(separator: ", "))")
    return paths.count
  }
}
