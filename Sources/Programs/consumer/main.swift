import CommandLineSupport
import Foundation
import Platform

// Only wiring: parses the options, assembles the app from its services, and exits with an exit code.

System.ignoreBrokenPipes()
let program = ConsumerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
// The run loop may return, for example if it has no source. The program exits from within it.
while true { RunLoop.main.run() }
