import TestSupport

/// The limits in `.ci/budgets`: a number for each folder, and additional allowances with a reason.
struct Budgets {
  /// A line of the file.
  struct Row: CustomTestStringConvertible {
    let number: Int
    let unit: Size.Unit
    let folders: [String]
    /// The reason of an allowance; `nil` for the number of a folder.
    let reason: String?

    var testDescription: String { "\(unit.rawValue) \(folders.joined(separator: ", "))" }

    /// The parts of the row that stay the same when the number changes.
    fileprivate var key: [String?] { [unit.rawValue, reason] + folders }

    fileprivate init?(_ line: some StringProtocol) {
      let form = /(allowance)? *(\d+) (lines of code in|bytes for browsers in) ([^:]+)(?:: (.+))?/
      guard let match = String(line).trimmingCharacters(in: .whitespaces).wholeMatch(of: form),
        let number = Int(match.2), let unit = Size.Unit(rawValue: String(match.3)),
        (match.1 == nil) == (match.5 == nil)
      else { return nil }
      self.number = number
      self.unit = unit
      self.reason = match.5.map(String.init)
      folders = match.4.components(separatedBy: ", ")
    }
  }

  /// The numbers of the folders.
  let rows: [Row]
  let allowances: [Row]
  /// Lines that are neither comments nor have the form of a row.
  let unknown: [Substring]

  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let all = lines.compactMap(Row.init)
    (rows, allowances) = (all.filter { $0.reason == nil }, all.filter { $0.reason != nil })
    unknown = lines.filter { Row($0) == nil }
  }

  /// Returns the sum of the allowances for the folder of a row. An allowance for `Sources` names the folders that may use
  /// it.
  func allowance(for row: Row) -> Int {
    allowances.filter { $0.unit == row.unit && $0.folders.contains(row.folders[0]) }.reduce(0) {
      $0 + $1.number
    }
  }

  /// Returns the rows and allowances whose numbers exceed an earlier number, with the lowest earlier number.
  func raised(since history: String) -> [(row: Row, lowest: Int)] {
    let lowest = Dictionary(
      history.split(separator: "\n").compactMap(Row.init).map { ($0.key, $0.number) }, uniquingKeysWith: min)
    return (rows + allowances).compactMap { row in
      lowest[row.key].flatMap { $0 < row.number ? (row, $0) : nil }
    }
  }
}

/// Measures the size of a folder. Comments of source files and documents do not count, because a limit must not shorten them. In files
/// for browsers every byte counts.
enum Size {
  enum Unit: String {
    case lines = "lines of code in"
    /// For JavaScript, CSS and HTML, whose lines can be packed.
    case bytes = "bytes for browsers in"
  }

  static func count(_ unit: Unit, in folder: URL) throws -> Int {
    let keys: [URLResourceKey] = [.isRegularFileKey]
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }.reduce(0) { sum, file in
      // A link counts at its destination.
      guard try file.resourceValues(forKeys: Set(keys)).isRegularFile == true else { return sum }
      let isForBrowsers = ["js", "css", "html"].contains(file.pathExtension)
      guard isForBrowsers == (unit == .bytes), file.pathExtension != "md",
        let text = String(data: try Data(contentsOf: file), encoding: .utf8)
      else { return sum }
      return sum + (unit == .bytes ? text.utf8.count : linesOfCode(text, kind: file.pathExtension))
    }
  }

  /// Returns the number of lines that are neither blank nor only a comment. `kind` is the extension of the file's name.
  static func linesOfCode(_ text: String, kind: String) -> Int {
    let comment = ["", "sh", "py"].contains(kind) ? "#" : "//"
    var isInComment = false
    return text.components(separatedBy: "\n").count { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      if isInComment || (comment == "//" && line.hasPrefix("/*")) {
        isInComment = !line.contains("*/")
        return false
      }
      return !line.isEmpty && !line.hasPrefix(comment)
    }
  }
}
