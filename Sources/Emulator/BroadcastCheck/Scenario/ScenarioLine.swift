import CommandLineSupport
import EmulatedSystem
import Foundation

/// The keys of a line, each taken once; what is left is an error.
struct ScenarioLine {
  /// File and line: `start.jsonl:3`.
  let place: String
  private var values: [String: JSONValue]
  private var taken: [String] = []

  init(_ values: [String: JSONValue], place: String) { (self.values, self.place) = (values, place) }

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

  func has(_ key: String) -> Bool { values[key] != nil }

  mutating func take(_ key: String) -> JSONValue? {
    taken.append(key)
    return values.removeValue(forKey: key)
  }

  mutating func object(_ key: String) throws(ScenarioError) -> ScenarioLine? {
    switch take(key) {
    case nil: return nil
    case .object(let values): return ScenarioLine(values, place: place)
    case let other?: throw wrong(key, "a JSON object", other)
    }
  }

  mutating func text(_ key: String) throws(ScenarioError) -> String? {
    switch take(key) {
    case nil: return nil
    case .string(let text) where !text.isEmpty: return text
    case let other?: throw wrong(key, "a text", other)
    }
  }

  mutating func required(_ key: String, _ meaning: String) throws(ScenarioError) -> String {
    guard let text = try text(key) else {
      throw ScenarioError(place, "The key '\(key)' is missing: \(meaning).")
    }
    return text
  }

  mutating func texts(_ key: String) throws(ScenarioError) -> [String] {
    guard let value = take(key) else { return [] }
    guard case .array(let values) = value else { throw wrong(key, "a list of texts", value) }
    return try values.map { item throws(ScenarioError) in
      guard case .string(let text) = item else { throw wrong(key, "a list of texts", value) }
      return text
    }
  }

  mutating func number(_ key: String) throws(ScenarioError) -> Double? {
    switch take(key) {
    case nil: return nil
    case .number(let number): return number
    case let other?: throw wrong(key, "a number", other)
    }
  }

  mutating func flag(_ key: String) throws(ScenarioError) -> Bool {
    switch take(key) {
    case nil: return false
    case .boolean(let flag): return flag
    case let other?: throw wrong(key, "true or false", other)
    }
  }

  mutating func time(_ key: String) throws(ScenarioError) -> Duration? {
    guard let text = try text(key) else { return nil }
    guard let time = ScheduledEvent.time(text) else { throw wrong(key, Self.times, .string(text)) }
    return time
  }

  /// A time, or two times between which one is drawn: `0.2s...0.9s`.
  mutating func times(_ key: String) throws(ScenarioError) -> ClosedRange<Duration>? {
    guard let text = try text(key) else { return nil }
    let bounds = text.replacing("...", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { ScheduledEvent.time(String($0)) }
    guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1],
      first <= last
    else { throw wrong(key, "\(Self.times), or two of them as in 0.2s...0.9s", .string(text)) }
    return first...last
  }

  /// Refuses the keys that were not taken.
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
