import CommandLineSupport
import Foundation

// An app that captures the screen itself, without an extension.

SignalSources.ignoreBrokenPipes()
let program = CapturerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
while true { RunLoop.main.run() }
