import Foundation
import ScreenBroadcast
import ToolSupport

/// Compares the paths in a container with the documented paths.
enum ContainerTree {
  /// Returns the unexpected paths and the missing paths.
  static func faults(_ paths: Set<String>, group: String, isIdle: Bool) -> [String] {
    let broadcast = "Library/Caches/Broadcast"
    let list = "Library/Preferences/\(group).plist"
    let atRest: Set<String> = [
      "Library", "Library/Preferences", list, "Library/Caches", broadcast, "\(broadcast)/producer.lock",
    ]
    // An app leaves its lock; the workers that replace it do not.
    var allowed = atRest.union(["\(broadcast)/app.lock"])
    if !isIdle {
      allowed.formUnion(
        ["\(list).new"] + ["frames.ring", "frames.ring.new", "control"].map { "\(broadcast)/\($0)" })
    }
    let missing = isIdle ? atRest.subtracting(paths) : []
    return paths.subtracting(allowed).sorted().map { "contains \($0)" }
      + missing.sorted().map { "lacks \($0)" }
  }

  /// Throws if a container has unexpected or missing files.
  static func check(_ container: AppGroupContainer, isIdle: Bool) throws {
    let paths = Set(try FileManager.default.subpathsOfDirectory(atPath: container.folder))
    let faults = faults(paths, group: container.group, isIdle: isIdle)
    try expect(
      faults.isEmpty,
      "\(isIdle ? "when idle, the" : "the") container \(faults.joined(separator: ", "))")
  }
}
