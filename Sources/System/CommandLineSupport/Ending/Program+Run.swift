import Foundation
import Platform
import Synchronization

extension Program {
  /// Runs a command line: prints a text and exits, or passes the options to `body`.
  ///
  /// Exits with a message if the command line is invalid or if `body` throws.
  package func run(_ arguments: [String], body: (Options) throws(ProgramFailure) -> Void) {
    ProcessResources.openStandardStreams()
    ProcessResources.unblockSignals()
    SignalSources.quit()
    if let shortage = ProcessResources.shortage {
      // Write synchronously: the queue of the standard streams would need a thread.
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
      CommonOptions.namedFiles.withLock { $0 = options.namedFiles }
      do {
        try options.namedFiles.checkWritable()
        try body(options)
      } catch {
        exit(error)
      }
    }
  }

  /// Rejects bytes that are not UTF-8. Swift replaces them, so a path would name another file.
  private static func checkEncoding() throws(UsageError) {
    for index in 0..<Int(CommandLine.argc) {
      // UNSAFE: the C library's array has this many strings.
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

  /// Ends the process: prints a failure to stderr, and exits with its code or with 0.
  ///
  /// Output that could not be written is a failure too, unless the reader closed the pipe.
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

  /// Waits until all output is written. If that takes longer than two seconds (a stopped terminal), signals end the program
  /// immediately from then on.
  private func finishOutput() {
    guard !StandardStream.output.flush(within: .seconds(2)) else { return }
    SignalSources.endAtOnce()
    StandardStream.output.flush()
  }
}
