import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import ToolSupport

extension KillWorker {
  /// Writes other keys into the app group's defaults, and checks that no update is lost.
  func writeKeys(in container: AppGroupContainer, for parent: ParentProcess<Report>) throws {
    let defaults = KeyValueFile(container: container)
    var random = SeededGenerator(seed: seed, stream: 7)
    var expected: [Bool]?
    while parent.wantsMore {
      var pattern = try KeyPattern(in: container)
      // No other process writes these keys.
      try expect(
        expected == nil || expected == pattern.values,
        "an update of other keys is lost: \(pattern.values), not \(expected ?? [])")
      let (index, value) = pattern.next
      if let path = try defaults.set(value, forKey: KeyPattern.keys[index]) {
        throw CheckFailure("the defaults were damaged, and moved to \(path)")
      }
      if expected == nil { parent.reportReady() }
      pattern.values[index] = value
      expected = pattern.values
      // Without a pause the two writers would mostly wait for the lock.
      random.sleep(upTo: .microseconds(100))
    }
  }
}

/// Keys in the app group's defaults, written one after the other: all to true, then all to false.
///
/// At each moment the keys up to some index have one value and the others have the other value. A lost update breaks this
/// pattern.
struct KeyPattern {
  static let keys = (0..<6).map { "endurance.key-\($0)" }
  /// A key that is true from the beginning and never changes.
  static let constant = "endurance.constant"

  var values: [Bool]

  /// Throws if the constant key is lost. Any other missing key counts as false.
  init(_ values: [String: Bool]) throws(CheckFailure) {
    try expect(values[Self.constant] == true, "the key \(Self.constant) is lost")
    self.values = Self.keys.map { values[$0] ?? false }
  }

  /// Reads the pattern in a container's defaults without the code under test.
  init(in container: AppGroupContainer) throws {
    let bytes = try PlainFile.read(container.preferencesFile, limit: KeyValueFile.sizeLimit)
    try self.init(try PropertyListDecoder().decode([String: Bool].self, from: Data(bytes)))
  }

  var isWhole: Bool { values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }.count <= 1 }

  var next: (index: Int, value: Bool) {
    let value = values[0]
    guard let index = values.firstIndex(of: !value) else { return (0, !value) }
    return (index, value)
  }
}
