/// Any value of a JSON text.
enum JSONValue: Decodable, Equatable {
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
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

  /// Whether the value has a type, named as in `Docs/CommandLine.md`. An integer is also a number.
  func isOf(documentedType type: String) -> Bool {
    switch (self, type) {
    case (.boolean, "boolean"), (.integer, "integer"), (.integer, "number"), (.number, "number"),
      (.string, "string"), (.object, "object"):
      true
    case (.array(let values), "array of integers"): values.allSatisfy { $0.isOf(documentedType: "integer") }
    default: false
    }
  }
}
