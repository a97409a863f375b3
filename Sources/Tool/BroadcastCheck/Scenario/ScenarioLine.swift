import CommandLineSupport
import EmulatedSystem
import Foundation

/// Reads the keys of a line, each once. A key that is left over is an error.
struct ScenarioLine {
  /// The file and line in errors: `start.jsonl:3`.
  let place: String
  private var values: [String: JSONValue]
  private var taken: [String] = []

  init(_ values: [String: JSONValue], place: String) {
    self.values = values
    self.place = place
  }

  init(parsing text: Substring, place: String) throws(ScenarioError) {
    let value: JSONValue
    do { value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch {
      throw ScenarioError(place, "This line is not JSON: \(String(text).quoted).")
    }
    guard case .object(let values) = value else {
      throw ScenarioError(place, "This line is not a JSON object: \(String(text).quoted).")
    }
    self.init(values, place: place)
  }

  subscript(_ key: String) -> JSONValue? {
    get { values[key] }
    set { values[key] = newValue }
  }

  func has(_ key: String) -> Bool { values[key] != nil }

  mutating func take(_ key: String) -> JSONValue? {
    taken.append(key)
    return values.removeValue(forKey: key)
  }

  /// Returns the value of a key, converted by `read`; `nil` if the key is missing.
  private mutating func value<Value>(
    of key: String, _ expectation: String, _ read: (JSONValue) -> Value?
  ) throws(ScenarioError) -> Value? {
    guard let given = take(key) else { return nil }
    guard let value = read(given) else { throw wrong(key, expectation, given) }
    return value
  }

  mutating func object(_ key: String) throws(ScenarioError) -> ScenarioLine? {
    try value(of: key, "a JSON object") { [place] in
      if case .object(let values) = $0 { ScenarioLine(values, place: place) } else { nil }
    }
  }

  mutating func objects(_ key: String) throws(ScenarioError) -> [ScenarioLine] {
    let objects: [ScenarioLine]? = try value(of: key, "a list of JSON objects") { [place] in
      guard case .array(let items) = $0 else { return nil }
      return items.compactMap {
        if case .object(let values) = $0 { ScenarioLine(values, place: place) } else { nil }
      }
    }
    return objects ?? []
  }

  mutating func text(_ key: String) throws(ScenarioError) -> String? {
    try value(of: key, "a text") { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
  }

  /// Takes one of the words of an enumeration.
  mutating func choice<Word: RawRepresentable<String>>(
    _ key: String, _ expectation: String
  ) throws(ScenarioError) -> Word? {
    try value(of: key, expectation) { if case .string(let text) = $0 { Word(rawValue: text) } else { nil } }
  }

  mutating func required(_ key: String, _ meaning: String) throws(ScenarioError) -> String {
    guard let text = try text(key) else {
      throw ScenarioError(place, "The key '\(key)' is missing: \(meaning).")
    }
    return text
  }

  mutating func texts(_ key: String) throws(ScenarioError) -> [String] {
    let texts: [String]? = try value(of: key, "a list of strings") { value in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap { item -> String? in
        if case .string(let text) = item { text } else { nil }
      }
      return texts.count == values.count ? texts : nil
    }
    return texts ?? []
  }

  mutating func number(_ key: String) throws(ScenarioError) -> Double? {
    try value(of: key, "a number") { if case .number(let number) = $0 { number } else { nil } }
  }

  mutating func flag(_ key: String) throws(ScenarioError) -> Bool {
    let flag: Bool? = try value(of: key, "true or false") {
      if case .boolean(let flag) = $0 { flag } else { nil }
    }
    return flag ?? false
  }

  mutating func time(_ key: String) throws(ScenarioError) -> Duration? {
    guard let text = try text(key) else { return nil }
    guard let time = Duration(typed: text) else { throw wrong(key, Self.times, .string(text)) }
    return time
  }

  /// Returns a time, or a range from which a time is drawn: `0.2s...0.9s`.
  mutating func times(_ key: String) throws(ScenarioError) -> ClosedRange<Duration>? {
    guard let text = try text(key) else { return nil }
    let bounds = text.replacing("...", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { Duration(typed: String($0)) }
    guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1],
      first <= last
    else { throw wrong(key, "\(Self.times), or a range such as 0.2s...0.9s", .string(text)) }
    return first...last
  }

  /// Rejects the keys that were not read.
  func finish() throws(ScenarioError) {
    guard let key = values.keys.min() else { return }
    let near = Spelling.nearest(to: key, among: taken).map { "; did you mean '\($0)'?" }
    throw ScenarioError(
      place, "There is no key \(key.quoted) here\(near ?? "; there are \(taken.joined(separator: ", ")).")")
  }

  func wrong(_ key: String, _ expectation: String, _ value: JSONValue) -> ScenarioError {
    ScenarioError(place, key: key, "expects \(expectation), not \(value.text).")
  }

  private static let times = "a time such as 2s or 500ms"
}
