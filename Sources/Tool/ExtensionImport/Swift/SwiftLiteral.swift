extension String {
  /// The text as a Swift string literal, including its quotation marks.
  var swiftLiteral: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// Keywords, which are not names.
  private static let keywords = Set(
    ("""
    as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false \
    fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol public \
    repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while Any \
    Self _
    """).split(separator: " "))

  /// Whether the text can be a name in Swift code.
  var isSwiftIdentifier: Bool {
    utf8.allSatisfy(SwiftTokens.isWordByte) && wholeMatch(of: /[^0-9$`][^$`]*/) != nil
      && !Self.keywords.contains(self[...])
  }
}
