import Foundation
import Platform
import ScreenBroadcast

/// Keys in the app group's defaults, written one after the other: all to true, then all to false.
///
/// At each moment the keys up to some index have one value and the others have the other. A lost update breaks this
/// pattern.
struct KeyPattern {
  /// The keys, in the order in which they are written.
  static let keys = (0..<6).map { "endurance.key-\($0)" }
  /// A key that is true from the beginning and is never changed.
  static let constant = "endurance.constant"

  /// The values of the keys, in their order.
  var values: [Bool]

  /// Throws if the constant key is lost. Another missing key counts as false.
  init(_ values: [String: Bool]) throws(CheckFailure) {
    try expect(values[Self.constant] == true, "the key \(Self.constant) is lost")
    self.values = Self.keys.map { values[$0] ?? false }
  }

  /// The pattern in a container's defaults, read without the code under test.
  init(in container: AppGroupContainer) throws {
    let bytes = try PlainFile.read(container.preferencesFile, limit: KeyValueFile.sizeLimit)
    try self.init(try PropertyListDecoder().decode([String: Bool].self, from: Data(bytes)))
  }

  /// Whether no update is lost.
  var isWhole: Bool { values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }.count <= 1 }

  /// The key to write next, and its value.
  var next: (index: Int, value: Bool) {
    let value = values[0]
    guard let index = values.firstIndex(of: !value) else { return (0, !value) }
    return (index, value)
  }
}
