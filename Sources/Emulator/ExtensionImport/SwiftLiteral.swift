extension String {
  /// The text as a literal of Swift, with its quotation marks.
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

  /// Whether the text can be a name in Swift code.
  var isSwiftIdentifier: Bool {
    utf8.allSatisfy(SwiftTokens.isWordByte) && wholeMatch(of: /[^0-9$`][^$`]*/) != nil
  }
}
