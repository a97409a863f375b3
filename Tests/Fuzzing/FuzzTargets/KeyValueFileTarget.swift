import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Reads the bytes as the file of the app group's defaults, and changes a value in it.
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
    do throws(FileError) { value = try file.bool(forKey: Self.key) } catch {
      // The file is left unchanged, because a change would wait for a possible writer and then move the file aside.
      return try require(error == FileError(.notAPropertyList, file.path), "\(error)")
    }
    let keys = try keys()
    // A file that can be read but not written again is moved aside.
    let setAside = try file.set(!value, forKey: Self.key)
    if let setAside { try FileManager.default.removeItem(atPath: setAside) }
    try require(try file.bool(forKey: Self.key) == !value, "the value did not change")
    try require(try self.keys() == (setAside == nil ? keys : []).union([Self.key]), "keys were lost")
    try require(try file.set(value, forKey: Self.key) == nil, "a file of the package's own was moved aside")
    try require(try file.bool(forKey: Self.key) == value, "the value did not change back")
  }

  private func keys() throws -> Set<String> {
    // UNSAFE: the out parameter for the format is `nil`.
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(PlainFile.read(file.path, limit: KeyValueFile.sizeLimit)), format: nil)
    return Set((list as? [String: Any] ?? [:]).keys)
  }
}
