import BroadcastHost
import CommandLineSupport
import Foundation
import ReplayKit
import ScreenBroadcast

// Wiring only: options in, the emulated system around the extension's handler, an exit code out.

SignalSources.ignoreBrokenPipes()
let program = ProducerProgram(arguments: Array(CommandLine.arguments.dropFirst()))
program.run()
RunLoop.main.run()
