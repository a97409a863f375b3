import CommandLineSupport
import Foundation

// Wiring only: options in, the app put together from its services, an exit code out.

SignalSources.ignoreBrokenPipes()
let program = ConsumerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
// The loop may return, as when it has no source; the program leaves from within.
while true { RunLoop.main.run() }
