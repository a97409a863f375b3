/// What a command line asks of a program.
public enum Request<Options> {
  /// Run with these options.
  case run(Options)
  /// Print this text on standard output and end well: `--help` or `--version`.
  case show(String)
}

extension Request: Sendable where Options: Sendable {}
extension Request: Equatable where Options: Equatable {}
