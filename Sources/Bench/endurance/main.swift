import CommandLineSupport
import Foundation
import ToolSupport

// Wiring only: this process is either one of the workers, or the program that a person launched.

SignalSources.ignoreBrokenPipes()
let arguments = Array(CommandLine.arguments.dropFirst())
WorkerSubcommand.run(
  arguments, among: [RingWriterWorker.self, RingReaderWorker.self, KillWorker.self])
EnduranceProgram.run(arguments)
