import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Other keys in the app group's defaults, written one after the other in turn: all to true, then all to false.
///
/// Whenever the writing stops, the keys before a certain one have one value and the others have the other. An
/// update that was lost leaves a hole.
struct KeyLadder {
  /// The keys, in the order in which they are written.
  static let keys = (0..<6).map { "endurance.rung-\($0)" }
  /// A key that is true from the beginning and that nobody changes.
  static let constant = "endurance.constant"

  /// The values of the keys, in their order.
  var rungs: [Bool]

  /// What the keys say; `nil` when a key is missing that must be there. A missing rung counts as false.
  init?(_ values: [String: Bool]) {
    guard values[Self.constant] == true else { return nil }
    rungs = Self.keys.map { values[$0] ?? false }
  }

  /// Whether no update is missing.
  var isWhole: Bool { rungs.indices.dropFirst().filter { rungs[$0] != rungs[$0 - 1] }.count <= 1 }

  /// The rung to be written next, and its value.
  var next: (index: Int, value: Bool) {
    let value = rungs[0]
    guard let index = rungs.firstIndex(of: !value) else { return (0, !value) }
    return (index, value)
  }

  /// All values of a container's defaults, read by another way than the one to be tried.
  static func values(in container: AppGroupContainer) throws -> [String: Bool] {
    let bytes = try PlainFile.read(container.preferencesFile, limit: KeyValueFile.sizeLimit)
    return try PropertyListDecoder().decode([String: Bool].self, from: Data(bytes))
  }
}
