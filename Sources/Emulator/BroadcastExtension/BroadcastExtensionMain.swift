import CommandLineSupport
import Foundation
import ReplayKit

/// The `main` of a broadcast upload extension under the emulated system.
///
/// An extension has none on a device: the system makes its principal class. Here its program's `main.swift` is
///
/// ```swift
/// import BroadcastExtension
///
/// BroadcastExtensionMain.run(SampleHandler())
/// ```
/// The program has the options of `producer`, and is `producer` with another handler.
public enum BroadcastExtensionMain {
  /// Runs this process as the extension whose principal class is that of `handler`, and ends it with an exit code.
  ///
  /// `handler` is evaluated when the extension is launched; an Info.plist given on the command line must name its
  /// class. Call it on the main thread.
  ///
  /// - Parameter program: the name the program reports with; that of its file by default.
  public static func run<Handler: RPBroadcastSampleHandler>(
    _ handler: @autoclosure @escaping @MainActor () -> Handler, program: String? = nil
  ) -> Never {
    run([PrincipalClass(handler())], program: program)
  }

  /// Runs this process as the extension whose principal class is the one of `classes` that the Info.plist on the
  /// command line names, or the first without one.
  public static func run(_ classes: [PrincipalClass], program: String? = nil) -> Never {
    precondition(!classes.isEmpty, "A broadcast upload extension has a principal class.")
    SignalSources.ignoreBrokenPipes()
    let file = URL(fileURLWithPath: CommandLine.arguments.first ?? "producer").lastPathComponent
    // Not declared with the actor, as top-level code of Swift 5 has none.
    return MainActor.assumeIsolated {
      let process = ExtensionProcess(classes: classes, name: program ?? file)
      process.run(Array(CommandLine.arguments.dropFirst()))
      // The process ends from within; the loop has the main queue as a source and does not run out of them.
      while true { RunLoop.main.run() }
    }
  }
}
