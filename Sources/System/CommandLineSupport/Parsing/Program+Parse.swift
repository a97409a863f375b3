/// The version that every program of this package reports.
package let programVersion = "0.1.0"

extension Program {
  /// Parses a command line, without the program's name.
  ///
  /// `--help` and `--version` take precedence over everything after them, and over invalid values before them.
  package func request(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<Options> {
    if !subcommands.isEmpty, arguments.first == "completion" {
      let value = OptionValue<CompletionShell>.choice
      return .show(completion(for: try value.value(of: arguments.dropFirst().first ?? "", for: "completion")))
    }
    let asksForHelp = arguments.first == "help" && !subcommands.isEmpty
    let invocation = try parse(asksForHelp ? arguments.dropFirst() + ["--help"] : arguments)
    if invocation.has("--help") { return .show(helpText(of: invocation.subcommand)) }
    if invocation.has("--version") { return .show("\(name) \(programVersion)") }
    if let listing = parsedOptions.first(where: { $0.listing != nil && invocation.has($0.declaration.name) })?
      .listing
    {
      return .show(listing())
    }
    var values = Options()
    for option in parsedOptions where goes(option.declaration, with: invocation) {
      for text in invocation.texts[option.declaration.name, default: []] { try option.read(text, &values) }
    }
    try values.finish(invocation)
    try values.namedFiles.checkDiffer()
    return .run(values)
  }

  /// Whether an option belongs to the subcommand of a command line. Two subcommands may have options of the same name.
  private func goes(_ option: OptionDeclaration, with invocation: Invocation) -> Bool {
    option.goes(with: invocation.subcommand ?? subcommands.first?.term)
  }

  /// Returns the command line whose `--help` explains another command line: its subcommand's, or the default subcommand's if it
  /// begins with an option.
  func helpCommand(for arguments: [String]) -> String {
    let named = subcommands.first { arguments.contains($0.term) } ?? subcommands.first
    guard let named, arguments.contains(named.term) || arguments.first?.hasPrefix("-") == true else {
      return name
    }
    return "\(name) \(named.term)"
  }

  /// Splits a command line, without the program's name, into its parts.
  package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var invocation = Invocation()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        guard !passthroughSubcommands.isEmpty else {
          throw UsageError("This program takes no arguments after '--'.")
        }
        invocation.passthrough = Array(rest)
        break
      } else if argument.hasPrefix("-") {
        let option = try takeOption(argument, &rest, &invocation)
        if ["--help", "--version"].contains(option) { return invocation }
      } else if let subcommand = invocation.subcommand, !operands(of: subcommand).isEmpty {
        try takeOperand(argument, of: subcommand, &invocation)
      } else {
        try takeSubcommand(argument, after: arguments[..<(rest.startIndex - 1)], &invocation)
      }
    }
    try checkSubcommand(of: invocation)
    return invocation
  }

  private func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
  ) throws(UsageError) -> String {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = ["-h": "--help", "-v": "--version"][parts[0]] ?? String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    let named = options.filter { $0.name == name }
    guard let option = named.first(where: { goes($0, with: invocation) }) ?? named.first else {
      throw unknown("option", name, among: options.map(\.name), in: invocation)
    }
    guard option.isRepeatable || !invocation.has(name) else {
      throw UsageError("\(name) is given twice; leave one out.")
    }
    guard option.placeholder != nil || attached == nil else {
      throw UsageError("\(name) takes no value; leave out \(argument.quoted).")
    }
    let following = attached == nil && option.impliedValue != nil ? rest.first : nil
    if let following, isValue(following, of: name) {
      rest.removeFirst()
      invocation.texts[name, default: []].append(following)
      return name
    }
    let words = try takeWords(of: option, attached ?? option.impliedValue, &rest)
    invocation.texts[name, default: []].append(words.joined(separator: " "))
    return name
  }

  /// Whether a word is a valid value of an option.
  private func isValue(_ word: String, of name: String) -> Bool {
    guard let option = parsedOptions.first(where: { $0.declaration.name == name }) else { return false }
    var options = Options()
    do { try option.read(word, &options) } catch { return false }
    return true
  }

  /// Returns the words of an option's value (empty for a flag). They may be typed as a single argument or as one argument each.
  private func takeWords(
    of option: OptionDeclaration, _ given: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> [String] {
    func words(_ text: String) -> [String] {
      option.wordCount == 1 ? [text] : text.split(separator: " ").map(String.init)
    }
    var taken = given.map(words) ?? []
    while taken.count < option.wordCount {
      // An argument that looks like an option is not a value. To pass such a value, type `--name=--value`.
      guard let next = rest.first, !next.hasPrefix("--") else {
        throw UsageError("\(option.name) expects a value: '\(option.usage)'.")
      }
      taken += words(rest.removeFirst())
    }
    return taken
  }

  private func operands(of subcommand: String) -> [Operand] {
    operands.filter { $0.subcommand == subcommand }
  }

  private func takeOperand(
    _ argument: String, of subcommand: String, _ invocation: inout Invocation
  ) throws(UsageError) {
    let operands = operands(of: subcommand)
    guard invocation.operands.count < operands.count else {
      throw UsageError(
        "'\(subcommand)' takes only \(placeholders(of: operands)); leave out \(argument.quoted).")
    }
    guard !argument.isEmpty else {
      throw UsageError("'\(subcommand)' expects \(operands[invocation.operands.count].expectation), not ''.")
    }
    invocation.operands.append(argument)
  }

  private func placeholders(of operands: [Operand]) -> String {
    operands.map(\.placeholder).joined(separator: " ")
  }

  private func takeSubcommand(
    _ argument: String, after earlier: ArraySlice<String>, _ invocation: inout Invocation
  ) throws(UsageError) {
    guard !subcommands.isEmpty else {
      throw UsageError("This program takes only options that begin with '--', not \(argument.quoted).")
    }
    guard subcommands.contains(where: { $0.term == argument }) else {
      if let option = parsedOptions.first(where: {
        $0.declaration.name == earlier.last && $0.declaration.impliedValue != nil
      }) {
        // Throws an error with the values that the option expects.
        var values = Options()
        try option.read(argument, &values)
      }
      try refuse(argument, afterValueIn: earlier)
      if let subcommand = invocation.subcommand {
        throw UsageError(
          "'\(subcommand)' takes only options that begin with '--', not \(argument.quoted)"
            + "\(passthroughHint(of: subcommand)).")
      }
      throw unknown("subcommand", argument, among: subcommands.map(\.term), in: invocation)
    }
    if let earlier = invocation.subcommand {
      throw UsageError("A command line takes one subcommand, not both '\(earlier)' and '\(argument)'.")
    }
    invocation.subcommand = argument
  }

  /// Rejects a word that directly follows the value of an option and so was probably meant as a part of it.
  private func refuse(
    _ word: String, afterValueIn earlier: ArraySlice<String>
  ) throws(UsageError) {
    guard let last = earlier.last(where: { $0.hasPrefix("--") }),
      let name = last.split(separator: "=").first.map(String.init),
      last.contains("=") || last != earlier.last,
      let placeholder = options.first(where: { $0.name == name })?.placeholder, elsewhere[word] == nil,
      Spelling.nearest(to: word, among: subcommands.map(\.term)) == nil
    else { return }
    throw UsageError(
      "\(name) takes \(placeholder); leave out \(word.quoted), or quote the whole value."
    )
  }

  private func checkSubcommand(of invocation: Invocation) throws(UsageError) {
    guard let subcommand = invocation.subcommand ?? subcommands.first?.term else { return }
    for option in options where invocation.has(option.name) {
      guard options.contains(where: { $0.name == option.name && $0.goes(with: subcommand) }) else {
        // The launched program may have an option of the same name too.
        throw UsageError(
          "\(option.name) goes with \(option.subcommands.quotedList()), not with '\(subcommand)'"
            + "\(passthroughHint(of: subcommand)).")
      }
    }
    let operands = operands(of: subcommand)
    if invocation.operands.count < operands.count {
      let missing = operands[invocation.operands.count].expectation
      throw UsageError(
        "'\(subcommand)' expects \(missing): '\(name) \(subcommand) \(placeholders(of: operands))'.")
    }
    if !passthroughSubcommands.isEmpty, !passthroughSubcommands.contains(subcommand),
      !invocation.passthrough.isEmpty
    {
      throw UsageError(
        "Options after '--' go with \(passthroughSubcommands.quotedList()), not with '\(subcommand)'.")
    }
  }

  /// The end of an error message that explains where options of the launched program go; empty if the subcommand launches no
  /// program.
  private func passthroughHint(of subcommand: String) -> String {
    passthroughSubcommands.contains(subcommand) ? "; options for the program it starts go after '--'" : ""
  }

  private func unknown(
    _ kind: String, _ word: String, among known: [String], in invocation: Invocation
  ) -> UsageError {
    let problem = "There is no \(kind) \(word.quoted)"
    let passesOn = invocation.subcommand.map(passthroughSubcommands.contains) ?? false
    if !passesOn, let other = elsewhere[word] { return UsageError("\(problem); use \(other.quotedList()).") }
    let fitting =
      kind == "option" && invocation.subcommand != nil
      ? options.filter { $0.goes(with: invocation.subcommand) }.map(\.name) : known
    if let near = Spelling.nearest(to: word, among: fitting) {
      return UsageError("\(problem); did you mean '\(near)'?")
    }
    if passesOn {
      return UsageError("\(problem); options for the program it starts go after '--'.")
    }
    return UsageError(kind == "option" ? "\(problem)." : "\(problem); use \(known.quotedList()).")
  }
}

extension [String] {
  /// Returns the words in quotes, as a list in a sentence: `'stop' or 'status'`.
  package func quotedList(_ conjunction: String = "or") -> String {
    let quoted = map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return "\(quoted.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

/// A split command line: the options with their values, the subcommand, and the arguments after `--`.
package struct Invocation: Equatable, Sendable {
  package internal(set) var subcommand: String?
  /// The operands of the subcommand, in the order typed.
  package internal(set) var operands: [String] = []
  package internal(set) var passthrough: [String] = []
  /// The values of each option by name, in the order typed (an empty string for a flag).
  var texts: [String: [String]] = [:]

  /// The first operand.
  package var operand: String? { operands.first }

  package func has(_ name: String) -> Bool { texts[name] != nil }
}

/// A rejected command line: a sentence that names the option, the value and the fix, without the program's name.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}

/// The request of a command line.
package enum CommandLineRequest<Options: Equatable>: Equatable {
  case run(Options)
  /// Print this text (of `--help`, `--version` or a listing) to stdout, and exit.
  case show(String)
}
