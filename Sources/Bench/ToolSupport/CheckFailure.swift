import CommandLineSupport

/// A failed check, as a sentence that continues "in round 7, ".
package struct CheckFailure: Error, CustomStringConvertible {
  package let description: String
  package let exitCode: ExitCode

  package init(_ description: String, _ exitCode: ExitCode = .internalError) {
    self.description = description
    self.exitCode = exitCode
  }
}

package func expect(
  _ condition: Bool, _ failure: @autoclosure () -> String
) throws(CheckFailure) {
  if !condition { throw CheckFailure(failure()) }
}
