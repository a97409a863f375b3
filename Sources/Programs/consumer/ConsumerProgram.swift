import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import LivePage
import PhoneLink
import Platform
import RunReports
import ScreenBroadcast
import SharedMemory

/// Wires the objects that the options request, and ends the program with an exit code.
@MainActor
final class ConsumerProgram {
  let signals = SignalSources(queue: .main)
  private(set) var coordinator: WatchCoordinator?
  private var appLife: AppLife?

  /// Starts the subcommand of `arguments`, which continues on the main queue.
  func run(_ arguments: [String]) {
    ConsumerOptions.program.run(arguments) { options throws(ProgramFailure) in
      let container = try options.common.appGroupContainer()
      Device.install(.ofApp(root: container.parentFolder))
      try options.namedFiles.checkDiffer(fromContainer: container.files)
      do throws(FileError) { try container.prepare() } catch { throw ProgramFailure(error) }
      switch options.subcommand {
      case .watch: try watch(options, container)
      case .start, .stop, .status: try control(options, container)
      }
    }
  }

  private func watch(_ options: ConsumerOptions, _ container: AppGroupContainer) throws(ProgramFailure) {
    let call = VideoCall(outputSize: options.frames.outputSize, fit: options.frames.fit)
    let provider = BroadcastProvider(
      container: container, call: call, statusInterval: options.pace.statusInterval,
      framePollInterval: .seconds(1) / options.watch.pollsPerSecond, isWoken: options.watch.wake,
      layout: options.watch.layout, verifies: options.frames.verify)
    let report = try report(options, container)
    let page = try page(options, container, console(options), report: report)
    try follow(provider, in: call, options, page: page, report: report, container: container)
  }

  /// Watches until a limit of the options is reached or a signal comes, and then exits.
  func follow(
    _ provider: any WatchedProvider, in call: VideoCall, _ options: ConsumerOptions, page: LivePage?,
    report: WatchReport?, container: AppGroupContainer? = nil
  ) throws(ProgramFailure) {
    let console = console(options)
    report?.follow(call, of: provider)
    let reports = report.map { [$0] } ?? []
    let mainView = view(options, console)
    let pages = page.map { [$0] } ?? []
    page?.show(call)
    let views = WatchViews([mainView] + pages + reports)
    let coordinator = WatchCoordinator(
      provider, in: call, view: views, container: container,
      control: container.map { _ in options.common.line("producer control") },
      pollsPerSecond: container == nil || options.watch.wake ? .infinity : options.watch.pollsPerSecond,
      outputs: try outputs(options) + pages,
      goals: WatchGoals(
        duration: options.limits.duration, frames: options.limits.frames.map(UInt64.init),
        wait: options.pace.wait, endsWithBroadcast: options.watch.once),
      showsLive: console.showsLive)
    self.coordinator = coordinator
    for number in SignalSources.requestsToEnd {
      signals.handle(number) { MainActor.assumeIsolated { coordinator.interrupt() } }
    }
    if let page { mainView.show(.serving(address: page.address)) }
    appLife = container.map { AppLife(in: $0) { views.show($0) } }
    coordinator.start { [weak self] failure in
      do throws(ProgramFailure) {
        do throws(FileError) { try self?.appLife?.end() } catch { throw ProgramFailure(error) }
        try report?.write(options.report, failure: failure, console: console)
        ConsumerOptions.program.exit(failure)
      } catch {
        if failure != nil { console.report(error.report(from: "consumer")) }
        ConsumerOptions.program.exit(failure ?? error)
      }
    }
  }

  /// The report of a watch: for the files of the options, or to be saved from its page.
  func report(
    _ options: ConsumerOptions, _ container: AppGroupContainer?
  ) throws(ProgramFailure) -> WatchReport? {
    guard options.report.isWanted || options.frames.serve != nil else { return nil }
    let polls = options.subcommand == .watch && !options.watch.wake
    return WatchReport(
      of: WatchReport.Subject(
        title: "consumer \(options.subcommand.rawValue)", commandLine: CommandLine.arguments,
        container: container?.folder, device: container == nil ? "\(Device.current.identity)" : nil,
        pollsPerSecond: polls ? options.watch.pollsPerSecond : nil,
        flagFile: container?.preferencesFile,
        statusInterval: options.pace.statusInterval))
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

  func console(_ options: ConsumerOptions) -> Console {
    options.common.console(messages: options.streamsToStandardOutput ? .error : .output)
  }

  private func view(_ options: ConsumerOptions, _ console: Console) -> any WatchView {
    if let lines = options.common.jsonLines { return JSONWatchView(lines: lines, console: console) }
    return TerminalWatchView(
      console: console, polls: "polls", framesPerSecond: options.framesPerSecond)
  }

  private func outputs(_ options: ConsumerOptions) throws(ProgramFailure) -> [any VideoOutput] {
    var outputs: [any VideoOutput] = []
    if let path = options.frames.y4m {
      outputs.append(try Y4MOutput(path: path, framesPerSecond: options.framesPerSecond))
    }
    if let path = options.snapshot { outputs.append(SnapshotOutput(path: path)) }
    return outputs
  }
}
