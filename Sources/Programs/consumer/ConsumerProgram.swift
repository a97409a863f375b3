import AppProgram
import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import PhoneLink
import ScreenBroadcast

/// Runs the subcommand of a command line, and exits with an exit code.
@MainActor
final class ConsumerProgram {
  private var program: WatchProgram?

  /// Starts the subcommand of `arguments`. It continues on the main queue.
  func run(_ arguments: [String]) {
    ConsumerOptions.program.run(arguments) { options throws(ProgramFailure) in
      let container = try options.common.appGroupContainer()
      Device.install(.ofApp(root: container.parentFolder))
      try options.namedFiles.checkDiffer(fromContainer: container.files)
      do throws(FileError) { try container.prepare() } catch { throw ProgramFailure(error) }
      let program = WatchProgram(
        "consumer", options.common, options.showing, framesPerSecond: options.framesPerSecond
      ) { ConsumerOptions.program.exit($0) }
      self.program = program
      switch options.subcommand {
      case .watch: try watch(options, container, program)
      case .start, .stop, .status: control(options, container, program)
      }
    }
  }

  private func watch(
    _ options: ConsumerOptions, _ container: AppGroupContainer, _ program: WatchProgram
  ) throws(ProgramFailure) {
    let frames = options.showing.frames
    let call = VideoCall(outputSize: frames.outputSize, fit: frames.fit)
    let provider = BroadcastProvider(
      container: container, call: call, statusInterval: options.pace.statusInterval,
      framePollInterval: .seconds(1) / options.watch.pollsPerSecond, isWoken: options.watch.wake,
      layout: options.watch.layout, verifies: frames.verify)
    let report = program.report(
      of: WatchReport.Subject(
        title: "consumer watch", commandLine: CommonOptions.commandLine, container: container.folder,
        device: nil,
        pollsPerSecond: options.watch.wake ? nil : options.watch.pollsPerSecond,
        flagFile: container.preferencesFile, statusInterval: options.pace.statusInterval))
    try program.follow(
      provider, in: call, counting: "polls", page: try page(options, container, program, report: report),
      report: report, container: container,
      pollsPerSecond: options.watch.wake ? .infinity : options.watch.pollsPerSecond, wait: options.pace.wait,
      endsWithBroadcast: options.watch.once)
  }

  private func control(
    _ options: ConsumerOptions, _ container: AppGroupContainer, _ program: WatchProgram
  ) {
    let view = program.view(counting: "polls")
    let control = BroadcastControl(container: container) { message in
      // Without JSON, the crash is reported as the failure of the program.
      if case .crashed = message, !options.common.json { return }
      view.show(message)
    }
    let limit = options.pace.wait ?? .zero
    let launch = options.subcommand == .start ? options.start.launch(container, options.common) : nil
    Task {
      do throws(ProgramFailure) {
        if let launch {
          try await control.start(launch, within: limit)
        } else if options.subcommand == .stop {
          try await control.stop(within: limit)
        } else {
          try await control.status(within: limit)
        }
        ConsumerOptions.program.exit(nil)
      } catch {
        ConsumerOptions.program.exit(error)
      }
    }
  }
}
