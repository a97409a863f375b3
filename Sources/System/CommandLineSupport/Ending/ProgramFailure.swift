import Platform

/// The reason why a program ends early: an exit code for scripts, and a sentence for the user.
package struct ProgramFailure: Error, Equatable, CustomStringConvertible {
  package let exitCode: ExitCode
  /// A sentence that names the subject and the fix, without the program's name.
  package let message: String
  package let pointsToHelp: Bool

  /// Creates a failure. By default, a failure of the command line refers to `--help`.
  package init(_ exitCode: ExitCode, _ message: String, pointsToHelp: Bool? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.pointsToHelp = pointsToHelp ?? (exitCode == .usage)
  }

  /// Creates a failure of a system call. The exit code depends on `errno`.
  package init(errno code: Int32, _ message: String) { self.init(ExitCode(errno: code), message) }

  package init(_ error: UsageError) { self.init(.usage, error.message) }

  /// Creates a failure of the container's files. The exit code depends on `errno`.
  package init(_ error: FileError) { self.init(errno: error.code, "\(error).") }

  package var description: String { message }

  /// The text for stderr: the sentence prefixed with the program's name, and a reference to `--help`.
  ///
  /// - Parameter command: the command line before `--help`; `nil` for the program's name alone.
  package func report(from program: String, help command: String? = nil) -> String {
    let sentence = "\(program): \(message.onOneLine)"
    return pointsToHelp ? "\(sentence)\nRun '\(command ?? program) --help' for the options." : sentence
  }
}
