import Foundation

/// Reads property lists that are not trusted, in all formats: XML, binary, and the old text format of Xcode projects.
package enum PropertyList {
  /// The bytes that each object counts for, in addition to its content.
  private static let objectSize = 8
  /// A binary list counts as an attack if its objects take more than this many times its size and more than 1 MiB.
  private static let mostRepetition = 16

  /// Returns the dictionary in `bytes`; `nil` if they are not a property list with one, or if the list is larger than `limit`.
  ///
  /// - Parameter limit: the maximum size in bytes of the list, and of its objects without sharing. Foundation copies an object of
  ///   a binary list for each reference, so 261 bytes could become millions of objects.
  package static func dictionary(in bytes: [UInt8], limit: Int) -> [String: Any]? {
    guard bytes.count <= limit else { return nil }
    if bytes.starts(with: BinaryPropertyList.magic) {
      let room = min(limit, max(1 << 20, mostRepetition * bytes.count))
      guard var list = BinaryPropertyList(bytes, room: room), list.isReadable() else { return nil }
    } else {
      // Each object in a text list begins with or after one of these characters. A key and its value in XML have four.
      let marks = bytes.count { "<({,;".utf8.contains($0) }
      guard marks * objectSize / 2 <= limit else { return nil }
    }
    // UNSAFE: only the type of the out parameter for the format (`nil` here) is unsafe.
    // A list that cannot be parsed is not a property list.
    return try? unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      as? [String: Any]
  }

  /// Checks the objects of a binary property list before Foundation reads them.
  ///
  /// The format has kinds of objects that no property list contains. Foundation reads some of them, and traps on a set. It also
  /// reads dates that are not finite, and what it writes for such a date depends on the CPU.
  private struct BinaryPropertyList {
    static let magic = Array("bplist".utf8)
    private static let trailerSize = 32
    /// The maximum nesting of arrays and dictionaries. Foundation rejects deeper lists.
    private static let mostLevels = 512

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: UInt64
    private let top: UInt64
    private let table: Int
    /// How many bytes the objects may still take.
    private var room: Int

    init?(_ bytes: [UInt8], room: Int) {
      let trailer = bytes.count - Self.trailerSize
      guard trailer > Self.magic.count else { return nil }
      func number(_ index: Int) -> UInt64 { PropertyList.number(bytes[(trailer + index)...].prefix(8)) }
      (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
      (count, top) = (number(8), number(16))
      let start = number(24), size = count.multipliedReportingOverflow(by: UInt64(offsetSize))
      guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), !size.overflow,
        start <= UInt64(trailer), size.partialValue <= UInt64(trailer) - start
      else { return nil }
      table = Int(start)
      self.bytes = bytes
      self.room = room
    }

    /// Returns whether Foundation can read the list without a trap and without exceeding the allowed memory.
    mutating func isReadable() -> Bool { isReadable(top, level: 0) }

    /// Returns whether an object and the objects in it are of the kinds that property lists contain. An object that contains
    /// itself exceeds the nesting limit or the allowed memory.
    private mutating func isReadable(_ object: UInt64, level: Int) -> Bool {
      room -= PropertyList.objectSize
      guard room >= 0, level < Self.mostLevels, let start = offset(of: object) else { return false }
      switch bytes[start] {
      case 0x08, 0x09, 0x10...0x2F, 0x80...0x8F: return true
      case 0x33: return Double(bitPattern: PropertyList.number(bytes[(start + 1)...].prefix(8))).isFinite
      case 0x40...0x6F:
        guard let content = content(at: start) else { return false }
        room -= content.count
        return room >= 0
      case 0xA0...0xAF, 0xD0...0xDF:
        let isDictionary = bytes[start] >= 0xD0
        guard let content = content(at: start),
          content.count <= (table - content.start) / (isDictionary ? 2 : 1) / referenceSize
        else { return false }
        for index in 0..<(isDictionary ? 2 * content.count : content.count) {
          let reference = content.start + index * referenceSize
          let child = PropertyList.number(bytes[reference..<(reference + referenceSize)])
          let isKey = isDictionary && index < content.count
          guard isReadable(child, level: level + 1), !isKey || isText(child) else { return false }
        }
        return true
      default: return false
      }
    }

    private func isText(_ object: UInt64) -> Bool {
      offset(of: object).map { (0x50...0x6F).contains(bytes[$0]) } == true
    }

    private func offset(of object: UInt64) -> Int? {
      guard object < count else { return nil }
      let entry = table + Int(object) * offsetSize
      let offset = PropertyList.number(bytes[entry..<(entry + offsetSize)])
      return offset < UInt64(table) ? Int(offset) : nil
    }

    /// Returns the number of elements or bytes in an object, and their offset. A small number is in the first byte, a larger one
    /// in the integer after it. `nil` if the number exceeds the size of the list.
    private func content(at start: Int) -> (count: Int, start: Int)? {
      let small = bytes[start] & 15
      guard small == 15 else { return (Int(small), start + 1) }
      let size = 1 << Int(bytes[start + 1] & 15)
      guard size <= 8, start + 2 + size <= table else { return nil }
      let count = PropertyList.number(bytes[(start + 2)..<(start + 2 + size)])
      return count <= UInt64(table) ? (Int(count), start + 2 + size) : nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
