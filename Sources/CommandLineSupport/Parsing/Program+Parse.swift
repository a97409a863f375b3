extension Program {
  /// What a command line, without the program's name, asks for.
  ///
  /// `--help` and `--version` win over everything behind them. `makeOptions` turns the texts into values.
  public func request<Options>(
    _ arguments: [String], makeOptions: (Invocation) throws(UsageError) -> Options
  ) throws(UsageError) -> Request<Options> {
    let invocation = try parse(arguments)
    if invocation.has(CommonOptions.help) { return .show(helpText) }
    if invocation.has(CommonOptions.version) { return .show("\(name) \(Version.current)") }
    return .run(try makeOptions(invocation))
  }

  /// Takes a command line, without the program's name, apart.
  ///
  /// Throws for an option that is unknown, given twice, without its value, or of another verb, and for a verb
  /// without its operand.
  public func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var invocation = Invocation()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        guard passthroughVerb != nil else { throw UsageError("Nothing goes after '--' here.") }
        invocation.passthrough = Array(rest)
        break
      } else if argument.hasPrefix("-") {
        let option = try takeOption(argument, &rest, &invocation)
        if [CommonOptions.help.declaration.name, CommonOptions.version.declaration.name].contains(option) {
          return invocation
        }
      } else if let operand = operand(of: invocation.verb) {
        try take(argument, as: operand, &invocation)
      } else {
        try takeVerb(argument, &invocation)
      }
    }
    try checkVerb(of: invocation)
    return invocation
  }

  private func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
  ) throws(UsageError) -> String {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0] == "-h" ? CommonOptions.help.declaration.name : String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    guard let option = options.first(where: { $0.name == name }) else {
      throw unknown("option", name, among: options.map(\.name), in: invocation)
    }
    guard option.isRepeatable || invocation.texts[name] == nil else {
      throw UsageError("\(name) is given twice; leave one out.")
    }
    if option.placeholder == nil {
      guard attached == nil else { throw UsageError("\(name) takes no value; leave out \(argument.quoted).") }
      invocation.texts[name] = ""
    } else if option.isRepeatable {
      let text = try takeWords(of: option, after: attached, &rest)
      invocation.texts[name] = text
      invocation.repeatedTexts[name, default: []].append(text)
    } else if let text = attached {
      invocation.texts[name] = text
    } else if let text = option.impliedValue {
      invocation.texts[name] = text
    } else {
      // A value that looks like an option is a value forgotten; `--name=--value` says it is meant.
      guard let text = rest.first, !text.hasPrefix("--") else {
        throw UsageError("\(name) wants a value: '\(option.usage)'.")
      }
      invocation.texts[name] = rest.removeFirst()
    }
    return name
  }

  /// The value of an option of several words, typed as one argument or as as many.
  private func takeWords(
    of option: OptionDeclaration, after attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    var words = attached.map { $0.split(separator: " ").map(String.init) } ?? []
    while words.count < option.wordCount {
      guard let next = rest.first, !next.hasPrefix("--") else {
        throw UsageError("\(option.name) wants a value: '\(option.usage)'.")
      }
      words += rest.removeFirst().split(separator: " ").map(String.init)
    }
    return words.joined(separator: " ")
  }

  private func operand(of verb: String?) -> Operand? { operands.first { $0.verb == verb } }

  private func take(
    _ argument: String, as operand: Operand, _ invocation: inout Invocation
  ) throws(UsageError) {
    if let earlier = invocation.operand {
      throw UsageError(
        "'\(operand.verb)' takes one \(operand.placeholder), not both \(earlier.quoted) and \(argument.quoted)."
      )
    }
    guard !argument.isEmpty else {
      throw UsageError("'\(operand.verb)' wants \(operand.expectation), not ''.")
    }
    invocation.operand = argument
  }

  private func takeVerb(_ argument: String, _ invocation: inout Invocation) throws(UsageError) {
    guard !verbs.isEmpty else {
      throw UsageError("Only options fit here, which begin with '--', not \(argument.quoted).")
    }
    guard verbs.contains(where: { $0.term == argument }) else {
      throw unknown("verb", argument, among: verbs.map(\.term), in: invocation)
    }
    if let earlier = invocation.verb {
      throw UsageError("Only one verb fits a command line, not both '\(earlier)' and '\(argument)'.")
    }
    invocation.verb = argument
  }

  private func checkVerb(of invocation: Invocation) throws(UsageError) {
    guard let verb = invocation.verb ?? verbs.first?.term else { return }
    for option in options where invocation.texts[option.name] != nil {
      guard option.verbs.isEmpty || option.verbs.contains(verb) else {
        // The other program may have an option of that name too.
        let hint = verb == passthroughVerb ? "; options for the program it starts go after '--'" : ""
        throw UsageError("\(option.name) goes with \(option.verbs.quotedList), not with '\(verb)'\(hint).")
      }
    }
    if let operand = operand(of: verb), invocation.operand == nil {
      throw UsageError(
        "'\(verb)' wants \(operand.expectation): '\(name) \(verb) \(operand.placeholder)'.")
    }
    if let passthroughVerb, verb != passthroughVerb, !invocation.passthrough.isEmpty {
      throw UsageError("Options after '--' go with '\(passthroughVerb)', not with '\(verb)'.")
    }
  }

  private func unknown(
    _ kind: String, _ word: String, among known: [String], in invocation: Invocation
  ) -> UsageError {
    let problem = "There is no \(kind) \(word.quoted)"
    if let near = Spelling.nearest(to: word, among: known) {
      return UsageError("\(problem); did you mean '\(near)'?")
    }
    if let passthroughVerb, invocation.verb == passthroughVerb {
      return UsageError("\(problem); options for the program it starts go after '--'.")
    }
    return UsageError(kind == "verb" ? "\(problem); it knows \(known.quotedList)." : "\(problem).")
  }
}

extension [String] {
  /// The words in quotes, as a sentence lists alternatives: `'stop' or 'status'`.
  fileprivate var quotedList: String {
    let quoted = map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return "\(quoted.dropLast().joined(separator: ", ")) or \(last)"
  }
}
