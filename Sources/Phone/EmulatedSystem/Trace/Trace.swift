import CommandLineSupport
import Foundation
import Platform

/// The calls that a handler received in one broadcast, recorded on a phone or by `--record-trace`.
package struct Trace: Sendable {
  /// The calls in order, beginning with the start of the broadcast. Line *n* of the file is at index *n* − 1.
  package let lines: [TraceLine]
  package let file: String

  /// The trace of one hour on a phone takes about 70 MB.
  private static let largestFile = 512 << 20

  /// Reads and checks the whole trace at `path`.
  package init(contentsOf path: String) throws(ProgramFailure) {
    var bytes: [UInt8]?
    do throws(FileError) {
      // The path may be a symbolic link. Opening a FIFO does not wait for a writer.
      let file = try System.open(URL(filePath: path).resolvingSymlinksInPath().path, System.readOnly)
      if try System.status(of: file).kind == .plainFile {
        bytes = try System.read(file, limit: Self.largestFile + 1)
      }
    } catch {
      throw ProgramFailure(error)
    }
    guard let bytes else { throw Self.malformed("\(path) is not a plain file.") }
    guard bytes.count <= Self.largestFile else {
      throw Self.malformed(
        "\(path) is larger than \(Self.largestFile >> 20) MiB; use a shorter part of the trace.")
    }
    try self.init(parsing: bytes, file: path)
  }

  /// Parses and checks a trace.
  ///
  /// - Parameter file: the file name in errors.
  package init(parsing bytes: [UInt8], file: String) throws(ProgramFailure) {
    let texts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let isComplete = texts.last?.isEmpty ?? true
    let decoder = JSONDecoder()
    var lines: [TraceLine] = []
    for (index, text) in (isComplete ? texts.dropLast() : texts[...]).enumerated() {
      do throws(Problem) {
        let line = try Self.record(text, decoder).line()
        try Self.check(line, after: lines.last, first: lines.first)
        lines.append(line)
      } catch {
        let isCut = !isComplete && index == texts.count - 1
        throw Self.malformed(
          "\(file):\(index + 1): \(error.sentence)"
            + (isCut ? " The file ends within this line; remove the line." : ""))
      }
    }
    guard !lines.isEmpty else { throw Self.malformed("\(file) has no lines.") }
    self.lines = lines
    self.file = file
  }

  /// The memory of the lines, in bytes.
  package var byteCount: Int { lines.capacity * MemoryLayout<TraceLine>.stride }

  private static func malformed(_ sentence: String) -> ProgramFailure {
    ProgramFailure(.verificationFailed, sentence)
  }

  /// The problem of a line, as a sentence.
  struct Problem: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
  }

  private static func record(
    _ text: ArraySlice<UInt8>, _ decoder: JSONDecoder
  ) throws(Problem) -> TraceRecord {
    do { return try decoder.decode(TraceRecord.self, from: Data(text)) } catch {
      switch error {
      case DecodingError.keyNotFound(let key, _):
        throw .init("The key '\(key.stringValue)' is missing.")
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        // The decoder does not name the key if a number does not fit.
        guard !context.codingPath.isEmpty else { break }
        let key = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
          .joined(separator: ".")
        guard key != "kind" else {
          let kinds = TraceRecord.Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw .init("'kind' expects one of \(kinds).")
        }
        throw .init("'\(key)' has a value of another type, or a number that is too large or not whole.")
      default: break
      }
      let shown = String(decoding: text, as: UTF8.self).quoted
      throw .init("This is not a JSON object with whole numbers of 64 bits: \(shown).")
    }
  }

  private static func check(
    _ line: TraceLine, after last: TraceLine?, first: TraceLine?
  ) throws(Problem) {
    guard let last, let first else {
      guard line.call == .broadcastStarted else { throw .init("The first line must be broadcastStarted.") }
      return
    }
    guard line.call != .broadcastStarted else {
      throw .init("A second broadcastStarted; put each broadcast into a separate file.")
    }
    guard !last.call.isEnd else { throw .init("Nothing follows the end of a broadcast.") }
    guard line.arrival >= last.arrival else { throw .init("'arrival' is earlier than in the line before.") }
    guard line.arrival - first.arrival <= CommonOptions.longest.wholeNanoseconds else {
      throw .init(
        "'arrival' is more than \(CommonOptions.longest.decimalSeconds) s after the first line's.")
    }
  }
}
