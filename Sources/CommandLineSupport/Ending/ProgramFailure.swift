import Platform

/// Why a program ends early: an exit code for scripts and one sentence for a person.
public struct ProgramFailure: Error, Equatable, CustomStringConvertible {
  /// What the shell gets.
  public let exitCode: ExitCode
  /// One sentence that names the thing and the way out, without the program's name.
  public let message: String

  /// Whether the way out is in the program's own help.
  public let pointsToHelp: Bool

  /// A failure with its exit code and its sentence; one of the command line points to the help.
  public init(_ exitCode: ExitCode, _ message: String, pointsToHelp: Bool? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.pointsToHelp = pointsToHelp ?? (exitCode == .usage)
  }

  /// A failure of a system call, whose `errno` gives the exit code.
  public init(errno code: Int32, _ message: String) {
    self.init(ExitCode(errno: code), message)
  }

  /// A command line that cannot be followed.
  public init(_ error: UsageError) {
    self.init(.usage, error.message)
  }

  /// The sentence.
  public var description: String { message }

  /// What goes to standard error: the sentence after the program's name, and where to look for the options.
  public func report(from program: String) -> String {
    let sentence = "\(program): \(message)"
    return pointsToHelp ? "\(sentence)\nRun '\(program) --help' for the options." : sentence
  }
}

extension ProgramFailure {
  /// A failure of the container's files: the exit code comes from the nearest `errno`.
  public init(_ error: some CodedError) {
    self.init(errno: error.code, "\(error).")
  }
}
