extension Program {
  /// The text of `--help` in 80 columns. For a subcommand, its full reference. Otherwise an overview of one screen, or the full
  /// reference if the program has no subcommands.
  package func helpText(of subcommand: String? = nil) -> String {
    let sections = subcommand == nil && !subcommands.isEmpty ? overview : reference(of: subcommand)
    return sections.joined(separator: "\n\n")
  }

  private var overview: [String] {
    let commands = examples.prefix(5).map { HelpEntry($0.term, $0.meaning.dropLast() + ".") }
    let options = options.filter { mostUsed.contains($0.name) }
      .map { HelpEntry($0.usage, $0.help.firstSentence) }
    return [
      wrapped(summary),
      section("First commands", commands, column: 4 + (commands.map(\.term.count).max() ?? 0)),
      section("Subcommands", subcommands.map { HelpEntry($0.term, $0.meaning.firstSentence) }),
    ] + (options.isEmpty ? [] : [section("Often used options", options)]) + [
      wrapped(
        "'\(name) help SUBCOMMAND', or --help after a subcommand, explains all its options. "
          + (needsSubcommand ? "" : "Without a subcommand it is '\(subcommands[0].term)'. ")
          + "Short forms: -h, and -v for --version. 'source <(\(name) completion bash)' completes words, also in zsh."
      )
    ]
  }

  /// Whether the first subcommand needs an operand and therefore cannot be the default.
  private var needsSubcommand: Bool { operands.contains { $0.subcommand == subcommands[0].term } }

  private func reference(of subcommand: String?) -> [String] {
    func isShown(_ commandLine: String) -> Bool {
      subcommand == nil || self.subcommand(of: commandLine) == subcommand
    }
    let options = options.filter { subcommand == nil || $0.goes(with: subcommand) }
    let about = subcommands.first { $0.term == subcommand }.map { "\(name) \($0.term): \($0.meaning)" }
    var sections = [
      wrapped(about ?? summary), section("Usage", usage.filter(isShown).map { "  \($0)" }),
    ]
    var headings: [String] = []
    for option in options where !headings.contains(option.heading) { headings.append(option.heading) }
    for heading in headings {
      let entries = options.filter { $0.heading == heading }.map { HelpEntry($0.usage, $0.meaning) }
      sections.append(section(heading, entries))
    }
    let takers = Set(options.map(\.name) + (subcommand.map { [$0] } ?? []))
    sections += vocabularies(of: takers).map { section($0.key, $0.value) }
    let examples = examples.filter { isShown($0.term) }
    sections.append(
      section(
        "Examples", examples.flatMap { $0.meaning.wrapped(columns: 80, indent: 2) + ["      \($0.term)"] }))
    let signals = signals.filter {
      subcommand == subcommands.first?.term || $0.meaning.hasPrefix("\(subcommand ?? ""):")
    }
    if !signals.isEmpty { sections.append(section("Signals", signals)) }
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    return sections + [section("Exit codes", codes)]
  }

  /// Returns the vocabularies whose headings name one of these options and subcommands.
  func vocabularies(of takers: Set<String>) -> [(key: String, value: [HelpEntry])] {
    vocabularies.sorted { $0.key < $1.key }.filter { heading, _ in
      !takers.isDisjoint(with: heading.split { " (,)".contains($0) }.map(String.init))
    }
  }

  /// Returns the subcommand of a usage line or an example: the subcommand it names, or the default one.
  private func subcommand(of commandLine: String) -> String? {
    let words = commandLine.split { " []".contains($0) }.dropFirst()
    return (subcommands.first { words.contains(Substring($0.term)) } ?? subcommands.first)?.term
  }

  private func wrapped(_ text: String) -> String { text.wrapped(columns: 80).joined(separator: "\n") }

  private func section(_ title: String, _ lines: [String]) -> String {
    (["\(title):"] + lines).joined(separator: "\n")
  }

  private func section(_ title: String, _ entries: [HelpEntry], column: Int = 26) -> String {
    section(title, entries.flatMap { Self.lines(of: $0, column: column) })
  }

  /// Returns the term, and its meaning in a second column.
  private static func lines(of entry: HelpEntry, column: Int) -> [String] {
    let lines = entry.meaning.wrapped(columns: 80, indent: column)
    let term = "  \(entry.term)"
    return term.count < column - 1 ? lines.labelled(term) : [term] + lines
  }
}

extension String {
  /// The string up to its first full stop or semicolon, with a full stop.
  var firstSentence: String {
    let end = firstRange(of: /[.;] |\.$/)?.lowerBound ?? endIndex
    return self[..<end] + "."
  }
}
