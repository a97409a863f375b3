import Platform

/// A mapped range of a process, from `/proc`: its file and how much of it is resident.
struct MemoryMapping: Equatable, Sendable {
  var range: Range<UInt64>
  /// Whether its bytes may be read or written.
  var isAccessible: Bool
  /// The path of its file, or a name such as `[heap]`; empty without one.
  var name: String
  var resident: UInt64 = 0
  /// The resident bytes that were written and belong to no file and no shared memory.
  var anonymous: UInt64 = 0

  static func all() throws(FileError) -> [MemoryMapping] {
    parse(smaps: try ProcessFiles.text(ProcessFiles.path("smaps", of: nil)))
  }

  /// The mappings in the text of `smaps`, from the lowest address up.
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
  /// The first line of a mapping: addresses, permissions, offset, device, inode, name.
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
