import Platform

/// The reason why a program ends early: an exit code for scripts and one sentence for a person.
package struct ProgramFailure: Error, Equatable, CustomStringConvertible {
  package let exitCode: ExitCode
  /// One sentence that names the thing and the remedy, without the program's name.
  package let message: String
  package let pointsToHelp: Bool

  /// A failure of the command line refers to `--help` by default.
  package init(_ exitCode: ExitCode, _ message: String, pointsToHelp: Bool? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.pointsToHelp = pointsToHelp ?? (exitCode == .usage)
  }

  /// A failure of a system call, whose `errno` determines the exit code.
  package init(errno code: Int32, _ message: String) { self.init(ExitCode(errno: code), message) }

  package init(_ error: UsageError) { self.init(.usage, error.message) }

  /// A failure of the container's files, whose `errno` determines the exit code.
  package init(_ error: FileError) { self.init(errno: error.code, "\(error).") }

  package var description: String { message }

  /// The text for standard error: the sentence after the program's name, and the way to the help.
  ///
  /// - Parameter command: the command line before `--help`; `nil` for the program's name.
  package func report(from program: String, help command: String? = nil) -> String {
    let sentence = "\(program): \(message.onOneLine)"
    return pointsToHelp ? "\(sentence)\nRun '\(command ?? program) --help' for the options." : sentence
  }
}
