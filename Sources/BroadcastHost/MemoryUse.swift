import CommandLineSupport
import Foundation

/// The memory of this process as iOS would count it against an extension.
public struct MemoryUse: Equatable, Sendable, CustomStringConvertible {
  /// Private memory that was written: what iOS counts as the footprint, in bytes.
  public var footprint: UInt64
  /// Mapped files, such as the shared frames: not counted by iOS, in bytes.
  public var mappedFiles: UInt64

  /// The footprint above which iOS ends an extension, in bytes.
  public static let budget: UInt64 = 50 << 20

  /// The memory of this process now; `nil` where the system does not tell.
  public static func current(statistics path: String = "/proc/self/smaps_rollup") -> MemoryUse? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return MemoryUse(smapsRollup: String(decoding: data, as: UTF8.self))
  }

  /// Memory of these two amounts, in bytes.
  public init(footprint: UInt64, mappedFiles: UInt64) {
    self.footprint = footprint
    self.mappedFiles = mappedFiles
  }

  /// The memory that Linux's text of a process' mappings states.
  init?(smapsRollup text: String) {
    var kilobytes: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[2] == "kB", let value = UInt64(words[1]) { kilobytes[words[0]] = value }
    }
    guard let resident = kilobytes["Rss:"], let anonymous = kilobytes["Anonymous:"] else { return nil }
    footprint = anonymous << 10
    mappedFiles = (resident - min(anonymous, resident)) << 10
  }

  /// One line for people.
  public var description: String {
    let share = (100 * Double(footprint) / Double(Self.budget)).text(decimals: 0)
    return "\(Double(footprint).megabytesText) private (\(share) % of the "
      + "\(Double(Self.budget).megabytesText) iOS allows), \(Double(mappedFiles).megabytesText) in mapped files"
  }
}
