extension Program {
  /// The text of `--help`: what the program is, how to call it, and every option, in 80 columns.
  package var helpText: String {
    var sections = [
      Self.wrap(summary, indent: 0).joined(separator: "\n"), section("Usage", usage.map { "  \($0)" }),
    ]
    if !subcommands.isEmpty { sections.append(section("Subcommands", subcommands)) }
    var headings: [String] = []
    for option in options where !headings.contains(option.heading) { headings.append(option.heading) }
    for heading in headings {
      let entries = options.filter { $0.heading == heading }.map { option in
        HelpEntry(option.usage, option.help + (option.defaultText.map { " Default: \($0)." } ?? ""))
      }
      sections.append(section(heading, entries))
    }
    sections += vocabularies.sorted { $0.key < $1.key }.map { section($0.key, $0.value) }
    sections.append(
      section("Examples", examples.flatMap { Self.wrap($0.meaning, indent: 2) + ["      \($0.term)"] }))
    sections.append(section("Signals", signals))
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    sections.append(section("Exit codes", codes))
    return sections.joined(separator: "\n\n")
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
    let lines = wrap(entry.meaning, indent: column)
    let term = "  \(entry.term)"
    guard term.count < column - 1, let first = lines.first else { return [term] + lines }
    return [term + first.dropFirst(term.count)] + lines.dropFirst()
  }

  /// A text in lines of up to 80 columns, each after an indent.
  private static func wrap(_ text: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [line]).map { String(repeating: " ", count: indent) + $0 }
  }
}
