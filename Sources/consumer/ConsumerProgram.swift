import CommandLineSupport
import ContainerDoctor
import ContainingApp
import EmulatedSystem
import FileInspector
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Wires the objects that the options request, and ends the program with an exit code.
@MainActor
final class ConsumerProgram {
  private let signals = SignalSources(queue: .main)
  private var coordinator: WatchCoordinator?
  private var captureSession: CaptureSession?

  /// Starts the subcommand of `arguments`, which continues on the main queue.
  func run(_ arguments: [String]) {
    ConsumerOptions.program.run(arguments) { options throws(ProgramFailure) in
      // A file is looked into wherever it is.
      if options.subcommand == .inspect { return try inspect(options) }
      // One process shares nothing.
      if options.subcommand == .capture { return try capture(options) }
      let container = try container(options.common)
      // The doctor must see what is there before anything is made.
      if options.subcommand != .doctor {
        do throws(StorageError) { try container.prepare() } catch { throw ProgramFailure(error) }
      }
      switch options.subcommand {
      case .watch: try watch(options, container)
      case .start, .stop, .status: try control(options, container)
      case .doctor: try examine(options, container)
      case .inspect, .capture: break
      }
    }
  }

  private func capture(_ options: ConsumerOptions) throws(ProgramFailure) {
    let console = console(options)
    let session = try CaptureSession(
      options, view: view(options, console), outputs: try outputs(options), showsLive: console.showsLive)
    captureSession = session
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { MainActor.assumeIsolated { session.interrupt() } }
    }
    signals.handle(SIGUSR1) { MainActor.assumeIsolated { session.enterBackground() } }
    signals.handle(SIGUSR2) { MainActor.assumeIsolated { session.enterForeground() } }
    session.start { failure in ConsumerOptions.program.exit(failure) }
  }

  private func examine(_ options: ConsumerOptions, _ container: AppGroupContainer) throws(ProgramFailure) {
    let doctor = ContainerDoctor(container: container)
    let diagnosis = options.fix ? doctor.repair() : doctor.examine()
    if options.common.json {
      try diagnosis.write(to: JSONLines(to: .output))
    } else {
      console(options).say(diagnosis.text)
    }
    ConsumerOptions.program.exit(diagnosis.failure)
  }

  private func watch(_ options: ConsumerOptions, _ container: AppGroupContainer) throws(ProgramFailure) {
    let console = console(options)
    var configuration = Services.Configuration(container: container)
    configuration.statusInterval = options.pace.statusInterval
    configuration.framePollInterval = .seconds(1) / options.watch.pollsPerSecond
    configuration.wake = options.watch.wake
    configuration.leases = options.watch.lease
    configuration.layout = options.watch.layout
    configuration.outputSize = options.frames.outputSize
    configuration.fit = options.frames.fit
    configuration.verifies = options.frames.verify
    let coordinator = WatchCoordinator(
      services: Services(configuration), view: view(options, console), outputs: try outputs(options),
      audioOutputs: try audioOutputs(options),
      goals: WatchGoals(
        duration: options.limits.duration, frames: options.limits.frames.map(UInt64.init),
        wait: options.pace.wait, endsWithBroadcast: options.watch.once),
      showsLive: console.showsLive)
    self.coordinator = coordinator
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { MainActor.assumeIsolated { coordinator.interrupt() } }
    }
    coordinator.start { failure in ConsumerOptions.program.exit(failure) }
  }

  private func inspect(_ options: ConsumerOptions) throws(ProgramFailure) {
    let inspection = try FileInspector.inspect(path: options.inspectedFile)
    if options.common.json {
      try JSONLines(to: .output).write(InspectedEvent(inspection, path: options.inspectedFile))
    } else {
      console(options).say(inspection.text)
    }
    try inspection.check(path: options.inspectedFile, snapshot: options.snapshot)
    ConsumerOptions.program.exit(nil)
  }

  private func control(
    _ options: ConsumerOptions, _ container: AppGroupContainer
  ) throws(ProgramFailure) {
    let view = view(options, console(options))
    let control = BroadcastControl(container: container) { message in
      // For people, the crash is the reason of the failure.
      if case .crashed = message, !options.common.json { return }
      view.show(message)
    }
    let limit = options.pace.wait ?? .zero
    let launch = options.subcommand == .start ? try launch(options, container, view) : nil
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

  private func launch(
    _ options: ConsumerOptions, _ container: AppGroupContainer, _ view: any WatchView
  ) throws(ProgramFailure) -> ProducerLaunch {
    var program = options.start.producer.map { URL(fileURLWithPath: $0) } ?? ProducerLaunch.neighbour
    var arguments: [String] = []
    if let (chosen, isMicrophoneOn) = try pick(options) {
      program = URL(fileURLWithPath: chosen.executable)
      arguments = ["--info-plist=\(chosen.infoPlist)"]
      let hearsAnother = options.start.producerArguments.contains { $0 == "--mic" || $0.hasPrefix("--mic=") }
      if isMicrophoneOn, !hearsAnother { arguments.append("--mic=tone") }
      view.show(.notice("The extension \(chosen.identifier.quoted) was chosen."))
    }
    return ProducerLaunch(
      program: program,
      arguments: arguments + options.common.sharedArguments + options.start.producerArguments,
      container: container)
  }

  /// The extension that the person picks; `nil` if no extensions are installed.
  private func pick(
    _ options: ConsumerOptions
  ) throws(ProgramFailure) -> (chosen: AppExtension, isMicrophoneOn: Bool)? {
    guard options.start.producer == nil else { return nil }
    let variable = ProcessInfo.processInfo.environment["BROADCAST_EXTENSIONS"].flatMap {
      $0.isEmpty ? nil : $0
    }
    guard let folder = options.start.extensions ?? variable else {
      if let identifier = options.start.extension {
        throw ProgramFailure(
          .usage,
          "--extension \(identifier.quoted) needs installed extensions; name their folder with --extensions.")
      }
      guard !options.start.microphone else {
        throw ProgramFailure(
          .usage,
          "--microphone needs the picker; name the folder of the installed extensions with --extensions.")
      }
      return nil
    }
    var picked: (choice: EmulatedPicker.Choice, isMicrophoneOn: Bool)?
    let picker = EmulatedPicker(folder: folder, wantsMicrophone: options.start.microphone) {
      picked = ($0, $1)
    }
    picker.install()
    let isTapped = withExtendedLifetime(picker) {
      BroadcastPickerButton.tap(
        preferredExtension: options.start.extension, showsMicrophoneButton: options.start.microphone)
    }
    guard isTapped, let picked else {
      throw ProgramFailure(.internalError, "The picker of the system has no button.")
    }
    return (try picked.choice.get(), picked.isMicrophoneOn)
  }

  private func container(_ options: CommonOptions) throws(ProgramFailure) -> AppGroupContainer {
    do {
      return try AppGroupContainer(
        root: options.container ?? AppGroupRoot.standard().path, group: options.group)
    } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
  }

  private func console(_ options: ConsumerOptions) -> Console {
    let messages: StandardStream? =
      if options.common.quiet || options.common.json { nil } else if options.streamsToStandardOutput {
        .error
      } else {
        .output
      }
    return Console(messages: messages, errors: .error)
  }

  private func view(_ options: ConsumerOptions, _ console: Console) -> any WatchView {
    options.common.json
      ? JSONWatchView(lines: JSONLines(to: .output), console: console)
      : TerminalWatchView(console: console, polls: options.subcommand == .capture ? "samples" : "polls")
  }

  private func outputs(_ options: ConsumerOptions) throws(ProgramFailure) -> [VideoOutput] {
    var outputs: [VideoOutput] = []
    switch options.frames.y4m {
    case .standardOutput: outputs.append(try Y4MOutput(path: "-", framesPerSecond: options.framesPerSecond))
    case .file(let path): outputs.append(try Y4MOutput(path: path, framesPerSecond: options.framesPerSecond))
    case nil: break
    }
    if let path = options.snapshot { outputs.append(try SnapshotOutput(path: path)) }
    if options.frames.preview { outputs.append(PreviewOutput(on: .output)) }
    return outputs
  }

  private func audioOutputs(_ options: ConsumerOptions) throws(ProgramFailure) -> [any AudioOutput] {
    var outputs: [any AudioOutput] = []
    if let path = options.watch.wav { outputs.append(try WAVEOutput(path: path, stream: .app)) }
    if let path = options.watch.micWav { outputs.append(try WAVEOutput(path: path, stream: .microphone)) }
    return outputs
  }
}
