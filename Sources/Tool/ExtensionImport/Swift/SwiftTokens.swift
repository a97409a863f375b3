/// A word or a punctuation character of Swift code. Comments and the text of literals are not tokens.
struct SwiftToken: Equatable {
  /// The text, including a leading `@` or `#` as in `@objc` and `#selector`.
  let text: String
  /// The byte range in the file.
  let range: Range<Int>
  /// The line number, from 1.
  let line: Int

  var isWord: Bool { text.utf8.first.map(SwiftTokens.isWordByte) ?? false }
}

/// Code that is nested more deeply than the compiler accepts.
struct NestingError: Error, Equatable {
  /// The compiler's own limit.
  static let limit = 256

  let line: Int
}

/// Splits Swift code into words and punctuation, as far as rewriting attributes and imports requires.
struct SwiftTokens {
  private(set) var all: [SwiftToken] = []
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  /// The number of nested literals at `index`.
  private var literals = 0

  init(_ bytes: [UInt8]) throws(NestingError) {
    self.bytes = bytes
    try scanCode(untilParenthesis: false)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "`"), 0x80...:
      true
    default: false
    }
  }

  private func isNext(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  private mutating func advance(_ count: Int = 1) {
    for byte in bytes[index..<min(bytes.count, index + count)] where byte == UInt8(ascii: "\n") { line += 1 }
    index = min(bytes.count, index + count)
  }

  /// Reads up to the end, or up to the parenthesis that ends an interpolation.
  private mutating func scanCode(untilParenthesis: Bool) throws(NestingError) {
    var parentheses = 0
    while index < bytes.count {
      let byte = bytes[index]
      let isSlash = byte == UInt8(ascii: "/")
      if isSlash, isNext("//") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance() }
      } else if isSlash, isNext("/*") {
        skipComment()
      } else if let hashes = hashesOfLiteral {
        try skipLiteral(hashes: hashes)
      } else if Self.isWordByte(byte) || [UInt8(ascii: "@"), UInt8(ascii: "#")].contains(byte) {
        let start = index
        repeat { advance() } while index < bytes.count && Self.isWordByte(bytes[index])
        append(from: start)
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        advance()
      } else {
        if byte == UInt8(ascii: "(") { parentheses += 1 }
        if byte == UInt8(ascii: ")") { parentheses -= 1 }
        if untilParenthesis, parentheses < 0 { return }
        advance()
        append(from: index - 1)
      }
    }
  }

  private mutating func append(from start: Int) {
    all.append(
      SwiftToken(
        text: String(decoding: bytes[start..<index], as: UTF8.self), range: start..<index, line: line))
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        advance(2)
      } else if isNext("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && index < bytes.count
  }

  /// The maximum number of `#` of a literal. Without a limit, a long row of them would be counted again at each position.
  private static let mostHashes = 256

  /// The number of `#` before a string literal that begins here; `nil` if none begins.
  private var hashesOfLiteral: Int? {
    let hashes = bytes[index...].prefix(Self.mostHashes).prefix { $0 == UInt8(ascii: "#") }.count
    let quote = index + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func skipLiteral(hashes: Int) throws(NestingError) {
    literals += 1
    defer { literals -= 1 }
    // Each level of recursion uses this thread's stack.
    guard literals <= NestingError.limit else { throw NestingError(line: line) }
    advance(hashes)
    let isLong = isNext("\"\"\"")
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let end = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1) + marks
    let escape = [UInt8(ascii: "\\")] + marks
    advance(isLong ? 3 : 1)
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: end) { return advance(end.count) }
      // A single-line literal that does not end on its line is an error, which the compiler reports.
      if !isLong, bytes[index] == UInt8(ascii: "\n") { return }
      guard rest.starts(with: escape) else {
        advance()
        continue
      }
      advance(escape.count)
      guard index < bytes.count, bytes[index] == UInt8(ascii: "(") else {
        advance()
        continue
      }
      advance()
      try scanCode(untilParenthesis: true)
    }
  }
}
