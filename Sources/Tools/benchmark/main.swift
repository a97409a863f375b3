import Foundation

// Wiring only: a process of a pair, or the benchmark itself.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == Worker.subcommand { Worker.main(arguments[1]) }
BenchmarkProgram.main(arguments)
