extension String {
  /// Returns the parts that this text does not contain, so that one expectation names all that are missing.
  package func missing(_ parts: String...) -> [String] { parts.filter { !contains($0) } }
}
