import CommandLineSupport
import Foundation

// Wiring only: this program is either the one a person started, or one of the workers that one started.

SignalSources.ignoreBrokenPipes()
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == WorkerOrder.word {
  WorkerOrder.obey(arguments.dropFirst())
} else {
  EnduranceProgram.run(arguments)
}
