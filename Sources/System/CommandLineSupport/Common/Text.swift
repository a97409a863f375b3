import Foundation
import Platform

extension Double {
  /// Returns the number rounded to `decimals` decimals: `59.94.text(decimals: 1)` is "59.9".
  package func text(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }

  /// This number of bytes in MiB, without the unit ("4.4") and with it ("4.4 MiB").
  package var mebibytes: String { (self / 1_048_576).text(decimals: 1) }
  package var mebibytesText: String { mebibytes + " MiB" }

  /// This number of seconds as minutes and seconds ("1:05").
  package var clockText: String {
    let seconds = Int(self)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}

extension String {
  /// Returns the string padded with spaces to `width`, by at least one.
  package func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }

  /// The string for the start of a sentence, and for its middle.
  package var firstUpper: String { prefix(1).uppercased() + dropFirst() }
  package var firstLower: String {
    // Do not change the name of a type.
    dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
  }

  /// The string with control characters replaced, except line feeds. For example, a path may contain terminal escape codes.
  package var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// The string on one line, without control characters.
  package var onOneLine: String { printable.replacing("\n", with: "?") }

  /// The string for an error message: quoted, on one line, without control characters, at most 80 characters.
  package var quoted: String {
    let shown = String(unicodeScalars.prefix(80)).onOneLine
    return "'\(shown)\(unicodeScalars.count > 80 ? "…" : "")'"
  }

  /// The string escaped as one word of a bash or zsh command.
  package var shellWord: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_=./:,".contains($0) }
    if isPlain { return self }
    func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
    // Escape control characters, because a terminal does not show them, so they could not be copied.
    guard unicodeScalars.contains(where: isControl) else { return "'\(replacing("'", with: "'\\''"))'" }
    let escaped = unicodeScalars.map { scalar in
      if isControl(scalar) { return scalar.utf8.map { String(format: "\\%03o", $0) }.joined() }
      return ["\\", "'"].contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(escaped.joined())'"
  }

  /// Breaks the string into indented lines of up to `columns` characters. A word longer than a line is not broken.
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
  /// The reason of the error as a part of a sentence: the system's text, without the full stop that Foundation adds.
  package var reasonText: String {
    if case .call(_, let errno) = (self as? FileError)?.reason { return "\(errno)" }
    let sentence = localizedDescription
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }
}

extension [String] {
  /// Returns the indented lines with `label` in place of the first indent.
  package func labelled(_ label: String) -> [String] {
    guard let first else { return self }
    return [label + String(first.dropFirst(label.count))] + Array(dropFirst())
  }
}

extension FileManager {
  /// Whether `path` is an executable file, or a link to one.
  package func isProgram(atPath path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    let exists = unsafe fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue && isExecutableFile(atPath: path)
  }
}
