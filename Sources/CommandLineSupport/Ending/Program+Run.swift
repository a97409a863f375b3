import Foundation
import Platform

extension Program {
  /// Does what a command line asks: prints a text and exits, or passes the options to `body`.
  ///
  /// Exits with a message if the command line is wrong or `body` throws.
  package func run(_ arguments: [String], body: (Options) throws(ProgramFailure) -> Void) {
    let request: CommandLineRequest<Options>
    do { request = try self.request(arguments) } catch { exit(ProgramFailure(error)) }
    switch request {
    case .show(let text):
      StandardStream.output.write(text + "\n")
      exit(nil)
    case .run(let options):
      do { try body(options) } catch { exit(error) }
    }
  }

  /// Ends the process: prints a failure on standard error, and exits with its code or with 0.
  ///
  /// Output that could not be written is a failure too, unless its reader has closed the pipe.
  package func exit(_ failure: ProgramFailure?) -> Never {
    let output = StandardStream.output
    output.flush()
    let failure = failure ?? (output.failure == .brokenPipe ? nil : output.programFailure)
    if let failure { StandardStream.error.write(failure.report(from: name) + "\n") }
    StandardStream.error.flush()
    Foundation.exit((failure?.exitCode ?? .ok).rawValue)
  }
}
