import Platform

/// A mapped address range of a process, from `/proc`: its file and its resident size.
struct MemoryMapping: Equatable, Sendable {
  var range: Range<UInt64>
  /// Whether its bytes can be read, written or executed.
  var isAccessible: Bool
  /// The path of the mapped file, or a name such as `[heap]`; empty if there is neither.
  var name: String
  var resident: UInt64 = 0
  /// The resident bytes that were written and do not belong to a file or to shared memory.
  var anonymous: UInt64 = 0

  static func all() throws(FileError) -> [MemoryMapping] {
    parse(smaps: try ProcessFiles.text(ProcessFiles.path("smaps", of: nil)))
  }

  /// Parses the text of `smaps`, from the lowest address up.
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
}

extension MemoryMapping {
  /// Parses the first line of a mapping: addresses, permissions, offset, device, inode, name.
  fileprivate init?(head line: Substring) {
    let words = line.split(separator: " ", maxSplits: 5)
    guard words.count >= 5, words[1].utf8.count == 4 else { return nil }
    let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1] else { return nil }
    range = ends[0]..<ends[1]
    isAccessible = !words[1].hasPrefix("---")
    name = words.count == 6 ? String(words[5].drop { $0 == " " }) : ""
  }
}
