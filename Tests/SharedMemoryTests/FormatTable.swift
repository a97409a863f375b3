import Foundation
import Testing

/// A table of `Docs/FileFormat.md`: the named fields under a heading, with offset and size.
struct FormatTable {
  struct Place: Equatable {
    var offset: Int
    /// `nil` when the table leaves it open.
    var size: Int?
  }

  var fields: [String: Place] = [:]

  init(under heading: String, filePath: String = #filePath) throws {
    let root = URL(fileURLWithPath: filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("Docs/FileFormat.md"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0 == "### " + heading })
    for line in lines[(start + 1)...].prefix(while: { !$0.hasPrefix("#") }) where line.hasPrefix("|") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let offset = Int(cells[1]), cells[3].hasPrefix("`") else { continue }
      fields[cells[3].trimmingCharacters(in: ["`"])] = Place(offset: offset, size: Int(cells[2]))
    }
  }
}
