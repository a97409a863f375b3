extension Program {
  /// The text of `--help` in 80 columns: what the program is, how to call it, and every option; after a subcommand, what
  /// goes with that.
  package func helpText(of subcommand: String? = nil) -> String {
    func isShown(_ commandLine: String) -> Bool {
      subcommand == nil || self.subcommand(of: commandLine) == subcommand
    }
    let options = options.filter { subcommand == nil || $0.goes(with: subcommand) }
    let about = subcommands.first { $0.term == subcommand }.map { "\(name) \($0.term): \($0.meaning)" }
    var sections = [
      (about ?? summary).wrapped(columns: 80).joined(separator: "\n"),
      section("Usage", usage.filter(isShown).map { "  \($0)" }),
    ]
    if subcommand == nil, !subcommands.isEmpty { sections.append(section("Subcommands", subcommands)) }
    var headings: [String] = []
    for option in options where !headings.contains(option.heading) { headings.append(option.heading) }
    for heading in headings {
      let entries = options.filter { $0.heading == heading }.map { option in
        HelpEntry(option.usage, option.help + (option.defaultText.map { " Default: \($0)." } ?? ""))
      }
      sections.append(section(heading, entries))
    }
    // The heading of a vocabulary names the options and subcommands that take its words.
    let takers = Set(options.map(\.name) + (subcommand.map { [$0] } ?? subcommands.map(\.term)))
    sections += vocabularies.sorted { $0.key < $1.key }.filter { heading, _ in
      !takers.isDisjoint(with: heading.split { " (,)".contains($0) }.map(String.init))
    }.map { section($0.key, $0.value) }
    let examples = examples.filter { isShown($0.term) }
    sections.append(
      section(
        "Examples", examples.flatMap { $0.meaning.wrapped(columns: 80, indent: 2) + ["      \($0.term)"] }))
    if subcommand == nil {
      let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
      sections += [section("Signals", signals), section("Exit codes", codes)]
    } else {
      sections.append("'\(name) --help' lists the other subcommands, the signals and the exit codes.")
    }
    return sections.joined(separator: "\n\n")
  }

  /// The subcommand of a usage line or an example: the one it names, or the default one.
  private func subcommand(of commandLine: String) -> String? {
    let words = commandLine.split { " []".contains($0) }.dropFirst()
    return (subcommands.first { words.contains(Substring($0.term)) } ?? subcommands.first)?.term
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    (["\(title):"] + lines).joined(separator: "\n")
  }

  private func section(_ title: String, _ entries: [HelpEntry]) -> String {
    section(title, entries.flatMap(Self.lines(of:)))
  }

  /// The term, and its meaning in a column of its own.
  private static func lines(of entry: HelpEntry) -> [String] {
    let column = 26
    let lines = entry.meaning.wrapped(columns: 80, indent: column)
    let term = "  \(entry.term)"
    return term.count < column - 1 ? lines.labelled(term) : [term] + lines
  }
}
