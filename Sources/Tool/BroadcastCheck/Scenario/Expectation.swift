import CommandLineSupport

/// What a value of a scenario must be.
package struct Expectation: Equatable, Sendable {
  package var path: ValuePath
  var equals: JSONValue?
  var atLeast: Double?
  var atMost: Double?
  /// How long the value may take to become right; zero for at once.
  var limit = Duration.zero
  /// What has happened when the value is wrong, as a sentence.
  var otherwise: String?
  /// Whether a wrong value does not depend on times.
  var isCertain = false

  init(_ path: ValuePath, equals: JSONValue, otherwise: String) {
    (self.path, self.equals, self.otherwise) = (path, equals, otherwise)
  }

  /// Whether a value is right; `nil` stands for a value that is not there.
  func holds(for value: JSONValue?) -> Bool {
    if let equals, value != equals { return false }
    guard atLeast != nil || atMost != nil else { return true }
    guard case .number(let number)? = value else { return false }
    return number >= atLeast ?? -.infinity && number <= atMost ?? .infinity
  }

  /// What was expected and what was there, as a sentence.
  func problem(with value: JSONValue?) -> String {
    let sentence = "\(path) is \(value?.text ?? "missing"); expected: \(bounds)."
    return otherwise.map { "\($0) (\(sentence.dropLast()))" } ?? sentence
  }

  /// The value beside its bounds, as a list of figures shows it; `nil` for a value without bounds.
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

/// The place of a value among what a scenario recorded: `extension.finished.framesProduced`.
package struct ValuePath: Equatable, Sendable, CustomStringConvertible {
  package enum Root: String, CaseIterable, Sendable { case `extension`, app, container }

  let root: Root
  /// The name of an event, or of a value of the process or container.
  let name: String
  /// The key of an event and its value, to choose among events of the same name.
  let filter: (key: String, value: String)?
  let keys: [String]

  init(
    _ root: Root, _ name: String, where filter: (key: String, value: String)? = nil, keys: [String]
  ) {
    (self.root, self.name, self.filter, self.keys) = (root, name, filter, keys)
  }

  /// Parses a path; `nil` if it has another form.
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
