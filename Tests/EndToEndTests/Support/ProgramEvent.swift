import Foundation

/// One line of a program's `--json` output.
struct ProgramEvent: Equatable {
  let name: String
  /// The values of all keys but `event`. The keys of an inner object are `object.key`.
  let values: [String: JSONValue]

  init(line: Substring) throws {
    var values = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
    guard case .string(let name)? = values.removeValue(forKey: "event") else {
      throw TestFailure(description: "'\(line)' has no string under 'event'")
    }
    self.name = name
    for (key, value) in values {
      guard case .object(let inner) = value else { continue }
      values[key] = nil
      for (name, value) in inner { values["\(key).\(name)"] = value }
    }
    self.values = values
  }

  func integer(_ key: String) -> Int? {
    if case .integer(let value) = values[key] { value } else { nil }
  }

  func number(_ key: String) -> Double? {
    switch values[key] {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  func text(_ key: String) -> String? {
    if case .string(let value) = values[key] { value } else { nil }
  }

  func boolean(_ key: String) -> Bool? {
    if case .boolean(let value) = values[key] { value } else { nil }
  }
}
