extension String {
  /// The text as an error sentence shows it: in quotes, on one line, without control characters, cut when long.
  package var quoted: String {
    let shown = unicodeScalars.prefix(80).map { scalar in
      scalar.properties.generalCategory == .control ? "?" : String(scalar)
    }
    return "'\(shown.joined())\(unicodeScalars.count > 80 ? "…" : "")'"
  }
}
