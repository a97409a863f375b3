import CommandLineSupport
import Foundation
import Platform

// An app that captures the screen itself, without an extension.

System.ignoreBrokenPipes()
let program = CapturerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
while true { RunLoop.main.run() }
