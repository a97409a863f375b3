import CommandLineSupport

/// A condition on a value that a scenario recorded.
package struct Expectation: Equatable, Sendable {
  package var path: ValuePath
  var equals: JSONValue?
  var atLeast: Double?
  var atMost: Double?
  /// The time within which the value must become correct; zero for at once.
  var limit = Duration.zero
  /// A sentence about the problem if the value is wrong.
  var otherwise: String?
  /// Whether a wrong value is certain, because it does not depend on timing.
  var isCertain = false

  init(_ path: ValuePath, equals: JSONValue, otherwise: String) {
    self.path = path
    self.equals = equals
    self.otherwise = otherwise
  }

  /// Whether a value is correct; `nil` stands for a missing value.
  func holds(for value: JSONValue?) -> Bool {
    if let equals, value != equals { return false }
    guard atLeast != nil || atMost != nil else { return true }
    guard case .number(let number)? = value else { return false }
    return number >= atLeast ?? -.infinity && number <= atMost ?? .infinity
  }

  /// Returns a sentence with the expected and the actual value.
  func problem(with value: JSONValue?) -> String {
    let sentence = "\(path) is \(value?.text ?? "missing"); expected: \(bounds)."
    return otherwise.map { "\($0) (\(sentence.dropLast()))" } ?? sentence
  }

  /// Returns the value with its bounds, for a list of measured values; `nil` if it has no bounds.
  func figure(_ value: JSONValue?) -> String? {
    guard equals == nil, case .number(let number)? = value else { return nil }
    let short = number == number.rounded() ? number : (number * 1000).rounded() / 1000
    return "\(path) \(JSONValue.number(short).text) (\(bounds))"
  }

  private var bounds: String {
    [
      equals?.text, atLeast.map { "at least \(JSONValue.number($0).text)" },
      atMost.map { "at most \(JSONValue.number($0).text)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

/// The path of a value in the records of a scenario: `extension.finished.framesProduced`.
package struct ValuePath: Equatable, Sendable, CustomStringConvertible {
  package enum Root: String, CaseIterable, Sendable { case `extension`, app, container }

  let root: Root
  /// The name of an event, or of a value of the process or container.
  let name: String
  /// A key of the event and its value, which selects among events of the same name.
  let filter: (key: String, value: String)?
  let keys: [String]

  init(
    _ root: Root, _ name: String, where filter: (key: String, value: String)? = nil, keys: [String]
  ) {
    self.root = root
    self.name = name
    self.filter = filter
    self.keys = keys
  }

  /// Parses a path; `nil` if it is malformed.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(\w+)\.(\w+)(?:\[(\w+)=([^\]]*)\])?((?:\.\w+)*)/),
      let root = Root(rawValue: String(match.1))
    else { return nil }
    self.init(
      root, String(match.2), where: match.3.flatMap { key in match.4.map { (String(key), String($0)) } },
      keys: match.5.split(separator: ".").map(String.init))
  }

  package var description: String {
    let event = "\(root.rawValue).\(name)\(filter.map { "[\($0.key)=\($0.value)]" } ?? "")"
    return ([event] + keys).joined(separator: ".")
  }

  package static func == (one: ValuePath, other: ValuePath) -> Bool { one.description == other.description }
}
