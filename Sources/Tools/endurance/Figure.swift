import CommandLineSupport

/// A figure of a result: a key and a value in JSON, and a line of the table if it has words for it.
struct Figure: Encodable {
  let key: String
  private let value: any Encodable
  private let text: String?

  init(_ key: String, _ value: some Encodable, _ text: String? = nil) {
    (self.key, self.value, self.text) = (key, value, text)
  }

  /// The value and its words; `nil` for a figure in JSON alone.
  var line: String? {
    guard let text else { return nil }
    let shown = (value as? Double)?.text(decimals: 3) ?? "\(value)"
    return String(repeating: " ", count: max(0, 12 - shown.count)) + "\(shown)  \(text)"
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
