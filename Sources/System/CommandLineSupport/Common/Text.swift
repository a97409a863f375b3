import Foundation
import Platform

extension Double {
  /// The number with a fixed count of decimals: `59.94.text(decimals: 1)` is "59.9".
  package func text(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

  /// The number of bytes as a number of MiB: "4.4", and with the unit: "4.4 MiB".
  package var mebibytes: String { (self / 1_048_576).text(decimals: 1) }
  package var mebibytesText: String { mebibytes + " MiB" }

  /// The number of seconds as minutes and seconds: "1:05".
  package var clockText: String {
    let seconds = Int(self)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}

extension String {
  /// The text and blanks up to a width, at least one.
  package func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }

  /// The text as a sentence begins with it, and as it follows another word.
  package var firstUpper: String { prefix(1).uppercased() + dropFirst() }
  package var firstLower: String {
    // Not the name of a type.
    dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
  }

  /// The text without control characters except line feeds: a path may contain some that change a terminal.
  package var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// The text on one line, without control characters.
  package var onOneLine: String { printable.replacing("\n", with: "?") }

  /// The text as an error sentence shows it: quoted, on one line, without control characters, at most 80 characters.
  package var quoted: String {
    let shown = String(unicodeScalars.prefix(80)).onOneLine
    return "'\(shown)\(unicodeScalars.count > 80 ? "…" : "")'"
  }

  /// The text as one word of a command for bash and zsh.
  package var shellWord: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_=./:,".contains($0) }
    if isPlain { return self }
    func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
    // A terminal would not show these characters, so they cannot be copied.
    guard unicodeScalars.contains(where: isControl) else { return "'\(replacing("'", with: "'\\''"))'" }
    let escaped = unicodeScalars.map { scalar in
      if isControl(scalar) { return scalar.utf8.map { String(format: "\\%03o", $0) }.joined() }
      return ["\\", "'"].contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(escaped.joined())'"
  }

  /// The text in lines of up to `columns`, each after an indent. A word longer than a line is not broken.
  package func wrapped(columns: Int, indent: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [line]).map { String(repeating: " ", count: indent) + $0 }
  }
}

extension Error {
  /// What failed, in the words of the system, as a part of a sentence: without the full stop that Foundation adds.
  package var reasonText: String {
    if case .call(_, let errno) = (self as? FileError)?.reason { return "\(errno)" }
    let sentence = localizedDescription
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }
}

extension [String] {
  /// Indented lines, the first of them with a label in place of its indent.
  package func labelled(_ label: String) -> [String] {
    guard let first else { return self }
    return [label + String(first.dropFirst(label.count))] + Array(dropFirst())
  }
}

extension FileManager {
  /// Whether `path` names a file that may be executed, or a link to one.
  package func isProgram(atPath path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    let exists = unsafe fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue && isExecutableFile(atPath: path)
  }
}
