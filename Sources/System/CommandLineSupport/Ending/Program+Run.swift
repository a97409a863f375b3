import Foundation
import Platform

extension Program {
  /// Does what a command line asks: prints a text and exits, or passes the options to `body`.
  ///
  /// Exits with a message if the command line is wrong or `body` throws.
  package func run(_ arguments: [String], body: (Options) throws(ProgramFailure) -> Void) {
    ProcessResources.openStandardStreams()
    ProcessResources.unblockSignals()
    SignalSources.quit()
    if let shortage = ProcessResources.shortage {
      // Not by the queue of the standard streams, which needs a thread.
      let failure = ProgramFailure(errno: shortage.code, shortage.text)
      StandardStream(descriptor: STDERR_FILENO).write(failure.report(from: name) + "\n")
      Foundation.exit(failure.exitCode.rawValue)
    }
    let request: CommandLineRequest<Options>
    do {
      try Self.checkEncoding()
      request = try self.request(arguments)
    } catch {
      exit(ProgramFailure(error))
    }
    switch request {
    case .show(let text):
      StandardStream.output.write(text + "\n")
      exit(nil)
    case .run(let options):
      do {
        try options.namedFiles.checkWritable()
        try body(options)
      } catch {
        exit(error)
      }
    }
  }

  /// Refuses bytes that are not UTF-8, which Swift replaces: a path would name another file.
  private static func checkEncoding() throws(UsageError) {
    for index in 0..<Int(CommandLine.argc) {
      // UNSAFE: the array of the C library has this many texts.
      guard let text = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: text) == nil
      else {
        continue
      }
      let shown = unsafe String(cString: text).quoted
      throw UsageError("\(shown) is not UTF-8; use names in UTF-8.")
    }
    // UNSAFE: no other thread changes the environment.
    if let text = unsafe getenv("BROADCAST_CONTAINER"), unsafe String(validatingCString: text) == nil {
      throw UsageError("$BROADCAST_CONTAINER is not UTF-8; use names in UTF-8.")
    }
  }

  /// Ends the process: prints a failure on standard error, and exits with its code or with 0.
  ///
  /// Output that could not be written is a failure too, unless its reader has closed the pipe.
  package func exit(_ failure: ProgramFailure?) -> Never {
    let output = StandardStream.output
    finishOutput()
    let failure = failure ?? (output.failure == .brokenPipe ? nil : output.programFailure)
    if let failure {
      let command = helpCommand(for: Array(CommandLine.arguments.dropFirst()))
      StandardStream.error.write(failure.report(from: name, help: command) + "\n")
    }
    finishOutput()
    Foundation.exit((failure?.exitCode ?? .ok).rawValue)
  }

  /// Waits until all output is written. After two seconds, as with a stopped terminal, signals end the program at once.
  private func finishOutput() {
    guard !StandardStream.output.flush(within: .seconds(2)) else { return }
    SignalSources.endAtOnce()
    StandardStream.output.flush()
  }
}
