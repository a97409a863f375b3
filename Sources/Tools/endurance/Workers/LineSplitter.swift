import Foundation

/// Bytes that come in pieces, as lines. What is behind the last line feed stays: of a process that was killed it
/// may be a part of a line.
struct LineSplitter {
  private var rest = Data()

  /// The lines that are whole now, without their line feeds.
  mutating func lines(adding data: Data) -> [Data] {
    rest += data
    var lines: [Data] = []
    while let end = rest.firstIndex(of: 0x0A) {
      lines.append(Data(rest[..<end]))
      rest = Data(rest[(end + 1)...])
    }
    return lines
  }
}
