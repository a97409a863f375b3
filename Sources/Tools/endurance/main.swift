import CommandLineSupport
import Foundation

// Wiring only: this process is either the program that a person launched, or one of its workers.

SignalSources.ignoreBrokenPipes()
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == Workers.subcommand {
  Workers.run(arguments.dropFirst())
} else {
  EnduranceProgram.run(arguments)
}
