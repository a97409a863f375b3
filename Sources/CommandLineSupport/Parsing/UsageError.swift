/// A command line that cannot be followed: one sentence that names the option, the value and the way out.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The sentence, without the program's name.
  public let message: String

  /// An error with its sentence.
  public init(_ message: String) { self.message = message }

  /// The sentence.
  public var description: String { message }
}
