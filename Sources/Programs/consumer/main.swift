import CommandLineSupport
import Foundation
import Platform

// Wiring only: options in, the app put together from its services, an exit code out.

System.ignoreBrokenPipes()
let program = ConsumerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
// The loop may return, as when it has no source; the program leaves from within.
while true { RunLoop.main.run() }
