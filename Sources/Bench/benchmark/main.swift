import CommandLineSupport
import Foundation
import ToolSupport

// Wiring only: this process is either one of a pair, or the benchmark that a person launched.

SignalSources.ignoreBrokenPipes()
let arguments = Array(CommandLine.arguments.dropFirst())
WorkerSubcommand.run(arguments, among: [Job.self])
BenchmarkProgram.main(arguments)
