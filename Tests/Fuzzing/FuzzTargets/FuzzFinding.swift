/// What a part of the package did with bytes from outside and must not do.
package struct FuzzFinding: Error, CustomStringConvertible {
  /// One sentence.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a finding unless `condition` holds.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws(FuzzFinding) {
  guard condition else { throw FuzzFinding(finding()) }
}
