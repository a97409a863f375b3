extension Program {
  /// The text of `--help`: what the program is, how to call it, and every option, in 80 columns.
  public var helpText: String {
    var sections = [
      Self.wrap(summary, indent: 0).joined(separator: "\n"), section("Usage", usage.map { "  \($0)" }),
    ]
    if !verbs.isEmpty { sections.append(section("Verbs", verbs.flatMap { Self.entry($0) })) }
    var groups: [String] = []
    for option in options where !groups.contains(option.group) { groups.append(option.group) }
    for group in groups {
      let entries = options.filter { $0.group == group }.map { option in
        HelpEntry(option.usage, option.help + (option.defaultText.map { " Default: \($0)." } ?? ""))
      }
      sections.append(section(group, entries.flatMap { Self.entry($0) }))
    }
    sections += vocabularies.map { section($0.title, $0.entries.flatMap { Self.entry($0) }) }
    sections.append(
      section("Examples", examples.flatMap { Self.wrap($0.meaning, indent: 2) + ["      \($0.term)"] }))
    sections.append(section("Signals", signals.flatMap { Self.entry($0) }))
    let codes = ExitCode.allCases.map { HelpEntry("\($0.rawValue)", $0.meaning) }
    sections.append(section("Exit codes", codes.flatMap { Self.entry($0) }))
    return sections.joined(separator: "\n\n")
  }

  private static let columns = 80
  private static let meaningColumn = 26

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

extension ExitCode {
  /// What the code tells, as `--help` and the documentation say it.
  public var meaning: String {
    switch self {
    case .ok: "as asked"
    case .usage: "the command line could not be understood"
    case .verificationFailed: "a frame failed verification, or a file is malformed"
    case .nothingCame: "nothing came within --wait"
    case .internalError: "a fault of the program itself"
    case .cannotCreate: "a file or folder could not be created, or is taken"
    case .inputOutput: "a file could not be read or written"
    case .producerCrashed: "the producer crashed"
    case .endedByHandler: "the handler ended the broadcast, or the recorder a capture, with an error"
    case .notPermitted: "not permitted"
    case .notInOrder: "the container is not in order"
    }
  }
}
