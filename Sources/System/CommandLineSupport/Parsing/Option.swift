/// The options of a program or of one of its subcommands, as a value: its initial values are the defaults.
package protocol OptionGroup: Equatable, Sendable {
  init()
  /// Completes the values and refuses combinations that contradict each other, after all options were read.
  mutating func finish(_ invocation: Invocation) throws(UsageError)
  /// The files that the options name; the parser refuses an output over another one of them.
  var namedFiles: [NamedFile] { get }
}

extension OptionGroup {
  package mutating func finish(_ invocation: Invocation) throws(UsageError) {}
  package var namedFiles: [NamedFile] { [] }
}

/// An option: its name, the value it takes, its explanation, and the property of `Group` that it sets.
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
  /// What the program prints for it, instead of anything else.
  var listing: (@Sendable () -> String)?

  /// An option whose default is the initial value of its property.
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

  /// An option whose property is `nil` without it; `default` says what that means.
  ///
  /// - Parameter implied: the value when the option is given without one. A word after the option is its value if it can be.
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

  /// An option for which the program prints a text and exits, as for `--help`.
  package static func listing(
    _ name: String, help: String, text: @escaping @Sendable () -> String
  ) -> Self {
    Self(declaration: OptionDeclaration(name: name, help: help), read: { _, _ in }, listing: text)
  }

  /// An option that may be given more than once. Each word of `placeholder` stands for a word of the value.
  package static func repeated(
    _ name: String, _ placeholder: String, help: String, read: @escaping Reader
  ) -> Self {
    Self(
      declaration: OptionDeclaration(name: name, placeholder: placeholder, isRepeatable: true, help: help),
      read: read)
  }
}

extension Array {
  /// The options under a heading of `--help`.
  package func under<Group>(_ heading: String) -> Self where Element == Option<Group> {
    changed { $0.heading = heading }
  }

  /// The options restricted to some subcommands, except for those that already are.
  package func only<Group>(with subcommands: [String]) -> Self where Element == Option<Group> {
    changed { if $0.subcommands.isEmpty { $0.subcommands = subcommands } }
  }

  /// The options of a group that is a property of another group.
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
  /// The name as typed, with its two hyphens.
  package let name: String
  /// The words that stand for the value in `--help`; `nil` for a flag.
  var placeholder: String?
  /// The value of an option that stands without one; `nil` if it needs one.
  var impliedValue: String?
  /// All values, if they can be listed.
  var choices: [String] = []
  var isRepeatable = false
  /// Sentences, with units and range.
  var help: String
  /// What holds without it, as `--help` says it.
  package var defaultText: String?
  var heading = "What is printed"
  /// The subcommands it goes with; empty for all.
  package var subcommands: [String] = []

  var meaning: String { help + (defaultText.map { " Default: \($0)." } ?? "") }

  func goes(with subcommand: String?) -> Bool {
    subcommands.isEmpty || subcommand.map(subcommands.contains) ?? false
  }

  var wordCount: Int { placeholder?.split(separator: " ").count ?? 0 }

  /// The option as typed, with its placeholder: `--fps N`.
  package var usage: String {
    guard let placeholder else { return name }
    return impliedValue == nil ? "\(name) \(placeholder)" : "\(name)[=\(placeholder)]"
  }
}
