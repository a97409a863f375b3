import CommandLineSupport
import Foundation

/// Reads the entitlements of a program, a Mach-O file with a code signature at its end.
enum CodeSignature {
  enum Reading {
    /// The entitlements that the system sees (empty if the signature has none).
    case entitlements([String: Any])
    /// The entitlements are unknown, for this reason (a clause).
    case unknown(String)
  }

  /// The magic numbers of the blobs in a signature, big-endian.
  private static let entitlementsMagic = Data([0xFA, 0xDE, 0x71, 0x71])
  private static let codeDirectoryMagic = Data([0xFA, 0xDE, 0x0C, 0x02])
  /// The flag of a code directory that the linker made. Devices do not accept it as a signature.
  private static let linkerSigned = 0x20000

  /// Returns the content of the program file, mapped into memory if possible; `nil` for anything other than a regular file (such
  /// as a FIFO).
  static func program(_ path: String) throws -> Data? {
    let url = URL(filePath: path).resolvingSymlinksInPath()
    guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return nil }
    return try Data(contentsOf: url, options: .mappedIfSafe)
  }

  static func read(_ path: String) -> Reading {
    let data: Data
    do {
      guard let program = try program(path) else { return .unknown("its program is not a file") }
      data = program
    } catch {
      return .unknown("its program cannot be read: \(error.reasonText)")
    }
    // A simulator build has its entitlements in a section, because its signature is not for a device.
    if let list = simulatedEntitlements(in: data) { return .entitlements(list) }
    if let start = data.range(of: entitlementsMagic, options: .backwards)?.lowerBound {
      // The entitlements blob: the magic number, its length, and the XML property list.
      guard data.count - start >= 8 else { return .unknown("the signature of its program is damaged") }
      let length = bigEndian(data, at: start + 4)
      guard length >= 8, length <= data.count - start,
        let list = PropertyListFile.dictionary(in: Data(data[(start + 8)..<(start + length)]))
      else { return .unknown("the signature of its program is damaged") }
      return .entitlements(list)
    }
    // A code directory: the magic number, its length, its version and its flags.
    if let start = data.range(of: codeDirectoryMagic, options: .backwards)?.lowerBound,
      data.count - start >= 16, bigEndian(data, at: start + 12) & linkerSigned == 0
    {
      return .entitlements([:])
    }
    return .unknown("its program is not signed")
  }

  /// Reads the section `__entitlements` of the segment `__TEXT`.
  private static func simulatedEntitlements(in data: Data) -> [String: Any]? {
    // The header of a section: its name (padded to 16 bytes) and the name of its segment (also 16 bytes), an address and a size
    // (8 bytes each), and an offset (4 bytes), all little-endian.
    let names = Data("__entitlements\0\0__TEXT\0".utf8)
    guard let name = data.range(of: names, in: 0..<min(data.count, 1 << 20))?.lowerBound,
      data.count - name >= 52
    else { return nil }
    let (size, offset) = (littleEndian(data, at: name + 40), littleEndian(data, at: name + 48))
    guard size <= data.count, offset <= data.count - size else { return nil }
    return PropertyListFile.dictionary(in: Data(data[offset..<(offset + size)]))
  }

  private static func bigEndian(_ data: Data, at start: Int) -> Int {
    data[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func littleEndian(_ data: Data, at start: Int) -> Int {
    data[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
