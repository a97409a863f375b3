import CommandLineSupport

/// One thing that a look at a container found: what it is, what it means on a device, and how to mend it.
package struct Finding: Equatable, Sendable {
  /// What kind of thing it is.
  package let kind: Kind
  /// The file or folder it is about.
  package let path: String
  /// What is found there, in a sentence.
  package let description: String
  /// How to mend it; `nil` where nothing is wrong.
  package let remedy: String?
  /// The exit code of a look that found this.
  package let exitCode: ExitCode
  /// Whether it was mended.
  package internal(set) var isFixed = false
  /// Why it could not be mended, if that was tried.
  package internal(set) var fixFailure: String?

  init(
    _ kind: Kind, _ path: String, _ description: String, remedy: String? = nil, exitCode: ExitCode? = nil
  ) {
    self.kind = kind
    self.path = path
    self.description = description
    self.remedy = remedy
    self.exitCode = exitCode ?? kind.exitCode
  }

  /// Whether it is the same thing at the same place, whatever became of it.
  func isSame(as other: Finding) -> Bool { kind == other.kind && path == other.path }
}

extension Finding {
  /// How much it matters.
  package enum Severity: String, Sendable {
    /// Nothing is wrong.
    case note
    /// Broadcasts work, but not as well as they could.
    case warning
    /// Broadcasts do not work, or not as both sides believe.
    case problem
  }

  /// What can be done about it without harm to anybody.
  enum Repair: Sendable {
    /// The folder gets the mode 0700.
    case closeFolder
    /// The file gets the mode 0600.
    case closeFile
    /// The flag is set to false.
    case clearFlag
    /// The file is removed.
    case removeFile
  }
}
