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

/// The lines of a process, for a caller that waits for each.
package final class LineQueue: @unchecked Sendable {
  // Why unchecked: `condition` guards the properties.
  private let condition = NSCondition()
  private var splitter = LineSplitter()
  private var lines: [Data] = []
  private var isClosed = false

  package init() {}

  /// Adds output of the process; empty data closes the queue.
  package func add(_ data: Data) {
    condition.withLock {
      lines += splitter.lines(adding: data)
      isClosed = data.isEmpty
      condition.signal()
    }
  }

  /// Waits for the next line; `nil` after the output has ended.
  package func next() -> Data? {
    condition.withLock {
      while lines.isEmpty, !isClosed { condition.wait() }
      return lines.isEmpty ? nil : lines.removeFirst()
    }
  }
}
