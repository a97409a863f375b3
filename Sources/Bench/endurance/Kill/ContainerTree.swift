import Foundation
import ScreenBroadcast
import ToolSupport

/// The paths in a container, compared with the documented ones.
enum ContainerTree {
  /// The paths that are there and should not be, and those that are missing.
  static func faults(_ paths: Set<String>, group: String, isAtRest: Bool) -> [String] {
    let broadcast = "Library/Caches/Broadcast"
    let list = "Library/Preferences/\(group).plist"
    let atRest: Set<String> = [
      "Library", "Library/Preferences", list, "Library/Caches", broadcast, "\(broadcast)/producer.lock",
    ]
    // An app leaves its lock, and workers in its place do not.
    var allowed = atRest.union(["\(broadcast)/app.lock"])
    if !isAtRest {
      allowed.formUnion(
        ["\(list).new"] + ["frames.ring", "frames.ring.new", "control"].map { "\(broadcast)/\($0)" })
    }
    let missing = isAtRest ? atRest.subtracting(paths) : []
    return paths.subtracting(allowed).sorted().map { "contains \($0)" }
      + missing.sorted().map { "lacks \($0)" }
  }

  /// Throws if a container has other files than it should.
  static func check(_ container: AppGroupContainer, isAtRest: Bool) throws {
    let paths = Set(try FileManager.default.subpathsOfDirectory(atPath: container.folder))
    let faults = faults(paths, group: container.group, isAtRest: isAtRest)
    try expect(
      faults.isEmpty,
      "\(isAtRest ? "at rest the" : "the") container \(faults.joined(separator: ", "))")
  }
}
