import BroadcastHost
import CommandLineSupport
import Foundation
import ReplayKit
import ScreenBroadcast

// Wiring only: options in, the emulated system around the extension's handler, an exit code out.

SignalSources.ignoreBrokenPipes()
let program = ProducerProgram()
program.run(Array(CommandLine.arguments.dropFirst()))
RunLoop.main.run()
