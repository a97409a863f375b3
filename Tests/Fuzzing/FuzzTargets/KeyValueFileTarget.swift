import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// A file of these bytes, read as the app group's defaults and changed.
package struct KeyValueFileTarget: FuzzTarget {
  package static let name = "key-value-file"

  private static let key = "broadcastIsActive"
  private let file: KeyValueFile

  package init(folder: String) throws {
    let container = try AppGroupContainer(root: folder, group: "group.fuzz")
    try container.prepare()
    file = KeyValueFile(container: container)
  }

  package func run(_ bytes: [UInt8]) throws {
    try PlainFile.replace(file.path, with: bytes)
    let value: Bool
    do throws(KeyValueFile.Failure) { value = try file.bool(forKey: Self.key) } catch {
      // A change would wait for somebody who is just writing, and then move the file aside.
      return try require(error == .damaged(path: file.path), "\(error)")
    }
    let keys = try keys()
    // What can be read but not be written again is moved aside; the test of the file says what that is.
    let setAside = try file.set(!value, forKey: Self.key)
    if let setAside { try FileManager.default.removeItem(atPath: setAside) }
    try require(try file.bool(forKey: Self.key) == !value, "the flag did not turn")
    try require(try self.keys() == (setAside == nil ? keys : []).union([Self.key]), "keys were lost")
    try require(try file.set(value, forKey: Self.key) == nil, "what was written here was moved aside")
    try require(try file.bool(forKey: Self.key) == value, "the flag did not turn back")
  }

  private func keys() throws -> Set<String> {
    // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(PlainFile.read(file.path, limit: KeyValueFile.sizeLimit)), format: nil)
    return Set((list as? [String: Any] ?? [:]).keys)
  }
}
