/// A check of a binary property list before Foundation reads it.
///
/// The format has kinds of objects that no property list contains. Foundation reads some of them, and traps on a set. It
/// reads dates that are not a finite number too, and what it writes for one depends on the processor.
package enum BinaryPropertyList {
  private static let magic = Array("bplist".utf8)
  private static let trailerSize = 32

  /// Whether Foundation can read the bytes without a trap: they are not a binary list, or all its objects are of the kinds
  /// that property lists contain.
  package static func isReadable(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: magic) else { return true }
    guard bytes.count >= magic.count + trailerSize else { return false }
    let trailer = bytes.count - trailerSize
    let offsetSize = Int(bytes[trailer + 6])
    let tableBytes = number(bytes[(trailer + 8)..<(trailer + 16)])
      .multipliedReportingOverflow(by: UInt64(offsetSize))
    let table = number(bytes[(trailer + 24)..<(trailer + 32)])
    guard (1...8).contains(offsetSize), !tableBytes.overflow, table <= UInt64(trailer),
      tableBytes.partialValue <= UInt64(trailer) - table
    else { return false }
    let start = Int(table)
    return stride(from: start, to: start + Int(tableBytes.partialValue), by: offsetSize).allSatisfy { entry in
      let offset = number(bytes[entry..<(entry + offsetSize)])
      return offset < table && isKnown(bytes[Int(offset)..<trailer])
    }
  }

  /// Whether the bytes begin with a Boolean, a number, a finite date, data, a text, a reference of an archive, an array or
  /// a dictionary.
  private static func isKnown(_ object: ArraySlice<UInt8>) -> Bool {
    guard let marker = object.first else { return false }
    return switch marker {
    case 0x08, 0x09, 0x10...0x2F, 0x40...0x6F, 0x80...0x8F, 0xA0...0xAF, 0xD0...0xDF: true
    case 0x33: Double(bitPattern: number(object.dropFirst().prefix(8))).isFinite
    default: false
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
