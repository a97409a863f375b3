import CommandLineSupport

/// A fact about a container: a description, its meaning on a device, and the way to repair it.
package struct Finding: Equatable, Sendable {
  package let kind: Kind
  package let path: String
  /// A clause without a full stop.
  package let description: String
  /// The way to repair it; `nil` if nothing is wrong.
  package let remedy: String?
  /// The exit code of an examination in which this is the worst problem.
  package let exitCode: ExitCode
  package internal(set) var isFixed = false
  /// The reason why a repair failed; `nil` if no repair was tried, or if it succeeded.
  package internal(set) var fixFailure: String?

  /// - Parameters:
  ///   - remedy: `nil` for the remedy of the kind.
  ///   - exitCode: `nil` for the exit code of the kind.
  package init(
    _ kind: Kind, _ path: String, _ description: String, remedy: String? = nil, exitCode: ExitCode? = nil
  ) {
    self.kind = kind
    self.path = path
    self.description = description
    self.remedy = remedy ?? kind.row.remedy
    self.exitCode = exitCode ?? kind.exitCode
  }

  /// Whether both findings have the same kind and path, repaired or not.
  func isSame(as other: Finding) -> Bool { kind == other.kind && path == other.path }

  package enum Severity: String, Encodable, Sendable {
    /// Nothing is wrong.
    case note
    /// The file or value to check is missing, so nothing can be said.
    case notJudged
    /// Broadcasts work, but worse than they could.
    case warning
    /// Broadcasts fail, or the two sides disagree about them.
    case problem

    /// The severity for people.
    var word: String { self == .notJudged ? "not judged" : rawValue }
  }
}
