extension Program {
  /// The text of `--help`: what the program is, how to call it, and every option, in 80 columns.
  package var helpText: String {
    var sections = [
      Self.wrap(summary, indent: 0).joined(separator: "\n"), section("Usage", usage.map { "  \($0)" }),
    ]
    if !subcommands.isEmpty {
      sections.append(section("Subcommands", subcommands.flatMap { Self.entry($0) }))
    }
    let options = options
    var headings: [String] = []
    for option in options where !headings.contains(option.heading) { headings.append(option.heading) }
    for heading in headings {
      let entries = options.filter { $0.heading == heading }.map { option in
        HelpEntry(option.usage, option.help + (option.defaultText.map { " Default: \($0)." } ?? ""))
      }
      sections.append(section(heading, entries.flatMap { Self.entry($0) }))
    }
    for (heading, entries) in vocabularies.sorted(by: { $0.key < $1.key }) {
      sections.append(section(heading, entries.flatMap { Self.entry($0) }))
    }
    sections.append(
      section("Examples", examples.flatMap { Self.wrap($0.meaning, indent: 2) + ["      \($0.term)"] }))
    sections.append(section("Signals", signals.flatMap { Self.entry($0) }))
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    sections.append(section("Exit codes", codes.flatMap { Self.entry($0) }))
    return sections.joined(separator: "\n\n")
  }

  private static var columns: Int { 80 }
  private static var meaningColumn: Int { 26 }

  private func section(_ title: String, _ lines: [String]) -> String {
    (["\(title):"] + lines).joined(separator: "\n")
  }

  /// The lines of an entry: the term, and its meaning in a column of its own.
  private static func entry(_ entry: HelpEntry) -> [String] {
    let lines = wrap(entry.meaning, indent: meaningColumn)
    let term = "  \(entry.term)"
    guard term.count < meaningColumn - 1, let first = lines.first else { return [term] + lines }
    return [term + first.dropFirst(term.count)] + lines.dropFirst()
  }

  /// A text in lines no longer than the columns, each after an indent.
  private static func wrap(_ text: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [line]).map { String(repeating: " ", count: indent) + $0 }
  }
}
