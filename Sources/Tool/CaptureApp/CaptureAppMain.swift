import CommandLineSupport
import EmulatedCapture
import EmulatedSystem
import Foundation
import Platform
import Synchronization

/// The `main` of an app that captures the screen with ScreenCaptureKit or `RPScreenRecorder`, under the emulated system.
///
/// ```swift
/// import CaptureApp
///
/// CaptureAppMain.run { ScreenSharing.shared.start() }
/// ```
/// Run the program with `--help` for its options. `check` runs the known failures against the app.
public enum CaptureAppMain {
  /// The framework with which an app captures its screen.
  public enum Framework: Sendable {
    /// `SCContentSharingPicker` and `SCStream`.
    case screenCaptureKit
    /// `RPScreenRecorder`.
    case replayKit
  }

  /// Runs this process as the app, and exits with an exit code.
  ///
  /// Call it on the main thread.
  ///
  /// - Parameters:
  ///   - program: the name before the program's messages (default: its file name).
  ///   - framework: the app's framework, unless the option `--framework` names another one.
  ///   - start: runs when the person taps the app's button for sharing, and at each event `start-again`. Called on the main
  ///     actor.
  public static func run(
    program: String? = nil, framework: Framework = .screenCaptureKit, _ start: @escaping @MainActor () -> Void
  ) -> Never {
    System.ignoreBrokenPipes()
    let file = URL(fileURLWithPath: CommandLine.arguments.first ?? "app").lastPathComponent
    // This function is not on the main actor, because top-level code of Swift 5 is not.
    return MainActor.assumeIsolated {
      CaptureAppOptions.ownFramework.withLock {
        $0 = framework == .replayKit ? .replaykit : .screencapturekit
      }
      let program = CaptureAppOptions.program(named: program ?? file)
      var process: CaptureAppProcess?
      program.run(Array(CommandLine.arguments.dropFirst())) { options throws(ProgramFailure) in
        if options.isCheck { program.exit(try CaptureCheck(options: options, program: program.name).run()) }
        // The app's own output must not come between the events.
        if options.common.json { try StandardStream.reserveOutput() } else { System.bufferOutputByLine() }
        process = try CaptureAppProcess(options, program: program, start: start)
      }
      while true { withExtendedLifetime(process) { RunLoop.main.run() } }
    }
  }
}
