import CommandLineSupport
import EmulatedCapture
import EmulatedSystem
import Foundation
import Platform
import Synchronization

/// The `main` of an app that captures the screen, by ScreenCaptureKit or `RPScreenRecorder`, under the emulated system.
///
/// ```swift
/// import CaptureApp
///
/// CaptureAppMain.run { ScreenSharing.shared.start() }
/// ```
/// `--help` of the program lists its options. `check` runs the known failures against the app.
public enum CaptureAppMain {
  /// How an app captures its screen.
  public enum Framework: Sendable {
    /// `SCContentSharingPicker` and `SCStream`.
    case screenCaptureKit
    /// `RPScreenRecorder`.
    case replayKit
  }

  /// Runs this process as the app, and ends it with an exit code.
  ///
  /// Call it on the main thread.
  ///
  /// - Parameters:
  ///   - program: the name in front of the program's messages; by default that of its file.
  ///   - framework: that of the app, unless the option `--framework` names another one.
  ///   - start: what the app does when the person taps its button for sharing. Called on the main actor, again at each event
  ///     `start-again`.
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
        // What the app prints must not come between the events.
        if options.common.json { try StandardStream.reserveOutput() } else { System.bufferOutputByLine() }
        process = try CaptureAppProcess(options, program: program, start: start)
      }
      while true { withExtendedLifetime(process) { RunLoop.main.run() } }
    }
  }
}
