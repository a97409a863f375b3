import CommandLineSupport
import Foundation

// What looks at the two programs of a broadcast from outside.

SignalSources.ignoreBrokenPipes()
MainActor.assumeIsolated { BroadcastProgram.run(Array(CommandLine.arguments.dropFirst())) }
while true { RunLoop.main.run() }
