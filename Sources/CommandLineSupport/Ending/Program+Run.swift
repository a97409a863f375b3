import Foundation

extension Program {
  /// Does what a command line asks: prints a text and leaves, or hands the options to `body`; leaves when the
  /// command line or `body` fails.
  public func run<Options>(
    _ arguments: [String], parse: ([String]) throws(UsageError) -> Request<Options>,
    body: (Options) throws(ProgramFailure) -> Void
  ) {
    let request: Request<Options>
    do { request = try parse(arguments) } catch { leave(ProgramFailure(error)) }
    switch request {
    case .show(let text):
      StandardStream.output.write(text + "\n")
      leave(nil)
    case .run(let options):
      do { try body(options) } catch { leave(error) }
    }
  }

  /// Ends the process: with what went wrong on standard error and its exit code, or well.
  public func leave(_ failure: ProgramFailure?) -> Never {
    if let failure { StandardStream.error.write(failure.report(from: name) + "\n") }
    StandardStream.output.flush()
    StandardStream.error.flush()
    exit((failure?.exitCode ?? .ok).rawValue)
  }
}
