/// A range of a process' memory: what it is of, and how much of it is in memory. By `/proc`, which Linux has.
public struct MemoryMapping: Equatable, Sendable {
  /// The addresses.
  public var range: Range<UInt64>
  /// Whether its bytes may be read or written at all.
  public var isAccessible: Bool
  /// The file, or a name of Linux's such as `[heap]` and `[stack]`; empty for memory without one.
  public var name: String
  /// Bytes in memory.
  public var resident: UInt64 = 0
  /// Of these the bytes that were written and are in no file, and in no memory made for sharing.
  public var anonymous: UInt64 = 0

  package init(
    range: Range<UInt64>, isAccessible: Bool, name: String, resident: UInt64, anonymous: UInt64
  ) {
    self.range = range
    self.isAccessible = isAccessible
    self.name = name
    self.resident = resident
    self.anonymous = anonymous
  }

  /// What the memory of this process is made of.
  public static func all() throws(StorageError) -> [MemoryMapping] {
    parse(smaps: try ProcessFiles.text(ProcessFiles.path("smaps", of: nil)))
  }

  /// The mappings that Linux's text states, from the lowest address up.
  static func parse(smaps text: String) -> [MemoryMapping] {
    var mappings: [MemoryMapping] = []
    for line in text.split(separator: "\n") {
      if let (title, bytes) = ProcessFiles.amount(line) {
        switch title {
        case _ where mappings.isEmpty: break
        case "Rss:": mappings[mappings.count - 1].resident = bytes
        case "Anonymous:": mappings[mappings.count - 1].anonymous = bytes
        default: break
        }
      } else if let mapping = MemoryMapping(head: line) {
        mappings.append(mapping)
      }
    }
    return mappings
  }

  /// The first line of a mapping: addresses, permissions, offset, device, inode, name.
  private init?(head line: Substring) {
    let words = line.split(separator: " ", maxSplits: 5)
    guard words.count >= 5, words[1].utf8.count == 4 else { return nil }
    let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1] else { return nil }
    range = ends[0]..<ends[1]
    isAccessible = !words[1].hasPrefix("---")
    name = words.count == 6 ? String(words[5].drop { $0 == " " }) : ""
  }
}
