/// A command line taken apart: options with their texts, the subcommand, and the arguments after `--`.
package struct Invocation: Equatable, Sendable {
  /// The subcommand; `nil` if none was typed.
  package internal(set) var subcommand: String?
  /// The word after a subcommand that takes one.
  package internal(set) var operand: String?
  /// The arguments after `--`, as typed.
  package internal(set) var passthrough: [String] = []
  /// The texts of the options by name, in the order typed; an empty text for a flag.
  var texts: [String: [String]] = [:]

  /// Whether an option was given.
  package func has(_ name: String) -> Bool { texts[name] != nil }
}

/// A command line that the program refuses: one sentence that names the option, the value and the remedy.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The sentence, without the program's name.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}

/// What a command line asks of a program.
package enum CommandLineRequest<Options: Equatable>: Equatable {
  case run(Options)
  /// Print this text, of `--help` or `--version`, on standard output and exit.
  case show(String)
}
