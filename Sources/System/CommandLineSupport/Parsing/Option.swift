/// The options of a program or of a subcommand, as a value. The initial values are the defaults.
package protocol OptionGroup: Equatable, Sendable {
  init()
  /// Completes the values after all options were read, and rejects contradictory combinations.
  mutating func finish(_ invocation: Invocation) throws(UsageError)
  /// The files that the options name. The parser rejects an output that is also another of these files.
  var namedFiles: [NamedFile] { get }
}

extension OptionGroup {
  package mutating func finish(_ invocation: Invocation) throws(UsageError) {}
  package var namedFiles: [NamedFile] { [] }
}

/// An option: its name, the value it expects, its explanation, and the property of `Group` that it sets.
///
///     struct WatchOptions: OptionGroup {
///       var pollsPerSecond = 30.0
///       static let options: [Option<Self>] = [
///         .value("--poll-fps", "N", .number(in: 1...240), \.pollsPerSecond, help: "Polls per second.")
///       ].under("Frames")
///     }
package struct Option<Group: OptionGroup>: Sendable {
  package typealias Property<Value> = any WritableKeyPath<Group, Value> & Sendable
  package typealias Reader = @Sendable (String, inout Group) throws(UsageError) -> Void

  package var declaration: OptionDeclaration
  let read: Reader
  /// The text that the program prints for the option, instead of doing anything else.
  var listing: (@Sendable () -> String)?

  /// An option whose default value is the initial value of its property.
  package static func value<Value>(
    _ name: String, _ placeholder: String, _ value: OptionValue<Value>, _ property: Property<Value>,
    help: String
  ) -> Self {
    Self(
      declaration: OptionDeclaration(
        name: name, placeholder: placeholder, choices: value.field.choices ?? [], help: help,
        defaultText: value.text(Group()[keyPath: property]))
    ) { text, group throws(UsageError) in group[keyPath: property] = try value.value(of: text, for: name) }
  }

  /// An option whose property stays `nil` if the option is missing; `default` explains that case.
  ///
  /// - Parameter implied: the value if the option is given without a value. The word after the option is used as its value if it
  ///   is valid.
  package static func value<Value>(
    _ name: String, _ placeholder: String, _ value: OptionValue<Value>, _ property: Property<Value?>,
    implied: String? = nil, help: String, default defaultText: String? = nil
  ) -> Self {
    Self(
      declaration: OptionDeclaration(
        name: name, placeholder: placeholder, impliedValue: implied, choices: value.field.choices ?? [],
        help: help,
        defaultText: defaultText)
    ) { text, group throws(UsageError) in group[keyPath: property] = try value.value(of: text, for: name) }
  }

  package static func flag(_ name: String, _ property: Property<Bool>, help: String) -> Self {
    Self(declaration: OptionDeclaration(name: name, help: help)) { _, group in
      group[keyPath: property] = true
    }
  }

  /// An option that prints a text and exits, like `--help`.
  package static func listing(
    _ name: String, help: String, text: @escaping @Sendable () -> String
  ) -> Self {
    Self(declaration: OptionDeclaration(name: name, help: help), read: { _, _ in }, listing: text)
  }

  /// An option that may be repeated. Each word of `placeholder` stands for a word of the value.
  package static func repeated(
    _ name: String, _ placeholder: String, help: String, read: @escaping Reader
  ) -> Self {
    Self(
      declaration: OptionDeclaration(name: name, placeholder: placeholder, isRepeatable: true, help: help),
      read: read)
  }
}

extension Array {
  /// Returns the options under a heading of `--help`.
  package func under<Group>(_ heading: String) -> Self where Element == Option<Group> {
    changed { $0.heading = heading }
  }

  /// Restricts the options to some subcommands, except for options that are already restricted.
  package func only<Group>(with subcommands: [String]) -> Self where Element == Option<Group> {
    changed { if $0.subcommands.isEmpty { $0.subcommands = subcommands } }
  }

  /// Lifts the options of a group into another group that has it as a property.
  package func inside<Group, Outer>(_ property: Option<Outer>.Property<Group>) -> [Option<Outer>]
  where Element == Option<Group> {
    map { option in
      Option<Outer>(
        declaration: option.declaration,
        read: { text, outer throws(UsageError) in try option.read(text, &outer[keyPath: property]) },
        listing: option.listing)
    }
  }

  private func changed<Group>(_ change: (inout OptionDeclaration) -> Void) -> Self
  where Element == Option<Group> {
    map { option in
      var option = option
      change(&option.declaration)
      return option
    }
  }
}

/// The properties of an option that the parser and `--help` use.
package struct OptionDeclaration: Hashable, Sendable {
  /// The name as typed, with its two hyphens (`--fps`).
  package let name: String
  /// The words that stand for the value in `--help`; `nil` for a flag.
  var placeholder: String?
  /// The value if the option is given without a value; `nil` if the option requires one.
  var impliedValue: String?
  /// All possible values, if they can be listed.
  var choices: [String] = []
  var isRepeatable = false
  /// Sentences, including units and range.
  var help: String
  /// The behaviour without the option, as `--help` describes it.
  package var defaultText: String?
  var heading = "What is printed"
  /// The subcommands that accept the option; empty for all.
  package var subcommands: [String] = []

  var meaning: String { help + (defaultText.map { " Default: \($0)." } ?? "") }

  func goes(with subcommand: String?) -> Bool {
    subcommands.isEmpty || subcommand.map(subcommands.contains) ?? false
  }

  var wordCount: Int { placeholder?.split(separator: " ").count ?? 0 }

  /// The option as typed, with its placeholder (`--fps N`).
  package var usage: String {
    guard let placeholder else { return name }
    return impliedValue == nil ? "\(name) \(placeholder)" : "\(name)[=\(placeholder)]"
  }
}
