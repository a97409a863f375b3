/// A command line that is rejected, with the error sentence.
package struct RejectedCommandLine: CustomTestStringConvertible, Sendable {
  package let testDescription: String
  private let sentence: String

  /// Parses a table with one line `COMMAND LINE => SENTENCE` for each rejection. A sentence may continue in any way after
  /// `…`.
  package static func table(_ text: String) -> [RejectedCommandLine] {
    text.split(separator: "\n").map { row in
      let parts = row.split(separator: " => ", maxSplits: 1).map(String.init)
      return RejectedCommandLine(testDescription: parts[0], sentence: parts[1])
    }
  }

  /// Expects that `parse` throws the sentence for the words of the command line.
  package func expect<Request>(
    sourceLocation: SourceLocation = #_sourceLocation, _ parse: ([String]) throws -> Request
  ) {
    let words = testDescription.split(separator: " ").map(String.init)
    let error = #expect(throws: UsageError.self, sourceLocation: sourceLocation) { _ = try parse(words) }
    let isExpected =
      sentence.hasSuffix("…")
      ? error?.message.hasPrefix(sentence.dropLast()) == true : error?.message == sentence
    #expect(isExpected, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  }
}

extension Program {
  /// Returns the options of a command line whose values have no blanks.
  package func options(_ line: String) throws -> Options {
    try options(line.split(separator: " ").map(String.init))
  }

  /// Returns the options of these words. Throws if the words request a text, such as the help.
  package func options(_ words: [String]) throws -> Options {
    switch try request(words) {
    case .run(let options): options
    case .show(let text): throw UsageError("This shows a text: \(text)")
    }
  }
}
