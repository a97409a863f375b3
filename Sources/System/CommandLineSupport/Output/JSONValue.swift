/// Any JSON value.
package enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Try one type after the other. Only the last one may throw.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Returns the value at a path of keys into nested objects.
  package func value(at keys: some Sequence<String>) -> JSONValue? {
    keys.reduce(self as JSONValue?) { value, key in
      if case .object(let values)? = value { values[key] } else { nil }
    }
  }

  /// The value at a path such as `ageMs.p50`.
  package subscript(path: String) -> JSONValue? {
    value(at: path.split(separator: ".").lazy.map(String.init))
  }

  /// The value as text for a sentence.
  package var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value):
      value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    case .string(let value): "'\(value.onOneLine)'"
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .object(let values):
      "{"
        + values.sorted { $0.key < $1.key }.map { "\($0.key.onOneLine): \($0.value.text)" }
        .joined(separator: ", ") + "}"
    }
  }
}
