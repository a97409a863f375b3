import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import ReplayKitCore

/// The `main` of a broadcast upload extension under the emulated system.
///
/// On a device an extension has no `main`, because the system creates its principal class. Here its `main.swift` is
///
/// ```swift
/// import BroadcastExtension
///
/// BroadcastExtensionMain.run(SampleHandler())
/// ```
/// The program has the options of `producer`.
public enum BroadcastExtensionMain {
  /// Runs this process as an extension whose principal class is the class of `handler`, and exits with an exit code.
  ///
  /// Call it on the main thread. `handler` is evaluated when the extension is launched. If the command line has an
  /// Info.plist, it must name the class of `handler`.
  ///
  /// - Parameter program: the name before the program's messages (default: its file name).
  public static func run<Handler: RPBroadcastSampleHandler>(
    _ handler: @autoclosure @escaping @MainActor () -> Handler, program: String? = nil
  ) -> Never {
    run([PrincipalClass(handler())], program: program)
  }

  /// Runs this process as an extension. Its principal class is the class in `classes` that the Info.plist on the command
  /// line names, or the first class if there is no Info.plist.
  public static func run(_ classes: [PrincipalClass], program: String? = nil) -> Never {
    precondition(!classes.isEmpty, "a broadcast upload extension has a principal class")
    System.ignoreBrokenPipes()
    let file = URL(fileURLWithPath: CommandLine.arguments.first ?? "producer").lastPathComponent
    // This function is not on the main actor, because top-level code of Swift 5 is not.
    return MainActor.assumeIsolated {
      let program = ProducerOptions.program(named: program ?? file)
      var process: ExtensionProcess?
      BroadcastTool.take(CommandLine.arguments)
      program.run(Array(CommandLine.arguments.dropFirst())) { options throws(ProgramFailure) in
        if options.describes {
          let chosen = try classes.chosen(
            by: options.infoPlist.map { path throws(ProgramFailure) in try ExtensionInfo(path: path) })
          try JSONLines(to: .output).write(HandlerEvent(name: chosen.name, isArticles: chosen.isArticles))
          program.exit(nil)
        }
        if let event = options.control {
          try ControlRequest.run(event, options.common)
          program.exit(nil)
        }
        // Output of the handler's `print` must not come between the events, nor be lost in a buffer when the process is
        // killed.
        if options.common.json { try StandardStream.reserveOutput() } else { System.bufferOutputByLine() }
        process = try ExtensionProcess(options, program: program)
        try process?.broadcast(classes)
      }
      // The process exits from the main queue. The run loop may return.
      while true { withExtendedLifetime(process) { RunLoop.main.run() } }
    }
  }
}
