import CommandLineSupport
import Foundation
import Platform

// The program that examines the two programs of a broadcast from outside.

System.ignoreBrokenPipes()
MainActor.assumeIsolated { BroadcastProgram.run(Array(CommandLine.arguments.dropFirst())) }
while true { RunLoop.main.run() }
