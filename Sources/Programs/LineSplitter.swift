import Foundation

/// Bytes that arrive in pieces, split into lines. Bytes after the last line feed wait for the rest of their line.
package struct LineSplitter {
  private var rest = Data()

  package init() {}

  /// The lines that are complete now, without their line feeds.
  package mutating func lines(adding data: Data) -> [Data] {
    var lines = (rest + data).split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    rest = lines.removeLast()
    return lines
  }
}
