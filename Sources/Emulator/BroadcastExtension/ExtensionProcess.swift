import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// The process of an extension: wires what the options ask for, and ends with an exit code.
@MainActor
final class ExtensionProcess {
  private let classes: [PrincipalClass]
  let program: Program<ProducerOptions>
  private let signals = SignalSources(queue: .main)
  private let progressTimer = DispatchTimer(queue: .main)
  private var system: BroadcastSystem?
  private var controlService: ControlService?

  /// A process that runs one of `classes`, and reports with `name`.
  init(classes: [PrincipalClass], name: String) {
    self.classes = classes
    program = ProducerOptions.program(named: name)
  }

  /// Starts the process. It ends from the main queue.
  func run(_ arguments: [String]) {
    program.run(arguments) { options throws(ProgramFailure) in
      let console = options.common.console()
      let container = try container(options.common, console: console)
      if let event = options.control {
        try send(event, to: container, options, console)
      } else {
        try broadcast(options, in: container, console)
      }
    }
  }

  /// Makes an event happen to the broadcast of another process.
  private func send(
    _ event: DeviceEvent, to container: AppGroupContainer, _ options: ProducerOptions, _ console: Console
  ) throws(ProgramFailure) {
    try ControlService.send(event, to: container)
    console.say("\(event.text): done.")
    try options.common.jsonLines?.write(DeviceEventReport(what: event.text))
    program.exit(nil)
  }

  private func broadcast(
    _ options: ProducerOptions, in container: AppGroupContainer, _ console: Console
  ) throws(ProgramFailure) {
    let name = program.name
    let report: @Sendable (String) -> Void = { console.report("\(name): \($0)") }
    let principalClass = try principalClass(options)
    let (screen, framesPerSecond) = try makeScreen(options)
    let audio = try audio(options, report: report)

    // A principal class is made without parameters.
    BroadcastConfiguration.standard = BroadcastConfiguration(
      container: container, screenWidth: screen.content.width, screenHeight: screen.content.height,
      slotCount: options.slots, layout: options.layout, report: { report("\($0).") })
    let memory = ExtensionMemory(system: screen.content.systemMemory)
    let memoryLimit = limitMemory(memory, options, container, report)
    fillMainBundle(from: options.infoPlist)
    if options.common.json { writeLogAsJSON() }
    let handler = principalClass.make()
    handler.beginRequest(with: NSExtensionContext())
    try prepare(container, for: handler)

    let reporter = ProducerReporter(
      program: name, console: console, lines: options.common.jsonLines,
      screen: screen, framesPerSecond: framesPerSecond, handler: handler, container: container,
      reportsMemory: options.memoryReport, memory: memory, budget: options.memoryLimit ?? MemoryUse.budget)
    let system = BroadcastSystem(
      handler: handler, screen: screen, framesPerSecond: framesPerSecond,
      audio: audio, setupInfo: options.setupInfo, schedule: options.schedule,
      durationLimit: options.limits.duration, frameLimit: options.limits.frames.map(UInt64.init)
    ) { [weak self, program] event in
      if case .started = event { memoryLimit?.setSession((handler as? SampleHandler)?.session?.id) }
      reporter.report(event)
      guard case .finished(let report) = event else { return }
      self?.controlService?.stop()
      program.exit(report.ending.failure)
    }
    self.system = system
    handleSignals(system)
    controlService = ControlService(container: container, system: system) { report("\($0).") }
    progressTimer.start(every: .seconds(1)) { MainActor.assumeIsolated { reporter.show(system.progress) } }
    system.start()
  }

  private func principalClass(_ options: ProducerOptions) throws(ProgramFailure) -> PrincipalClass {
    do throws(ExtensionInfo.Failure) {
      let info: ExtensionInfo? =
        if let path = options.infoPlist { try ExtensionInfo(path: path) } else { nil }
      return try classes.chosen(by: info)
    } catch {
      throw error.programFailure
    }
  }

  private func makeScreen(
    _ options: ProducerOptions
  ) throws(ProgramFailure) -> (EmulatedScreen, framesPerSecond: Double) {
    do throws(ScreenContentError) {
      let (content, framesPerSecond) = try options.screen.makeContent()
      let screen = try options.screen.makeScreen(content) { [weak self] misuse in
        DispatchQueue.main.async { MainActor.assumeIsolated { self?.system?.note(misuse) } }
      }
      return (screen, framesPerSecond)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// Enforces the extension's memory limit from now on.
  private func limitMemory(
    _ memory: ExtensionMemory, _ options: ProducerOptions, _ container: AppGroupContainer,
    _ report: @escaping @Sendable (String) -> Void
  ) -> MemoryLimit? {
    do throws(StorageError) {
      // The limit may be reached before the handler has made the folder of the record.
      try container.prepare()
      // The record of an earlier producer is obsolete, unless another one runs.
      switch try ProducerLock.holder(at: container.producerLockFile) {
      case .alive: break
      case .unheld, .died: try PlainFile.remove(MemoryLimit.file(in: container.broadcastFolder))
      }
    } catch {
      // The handler uses the same folders, and reports their problems.
    }
    guard let bytes = options.memoryLimit else { return nil }
    let limit = MemoryLimit(
      bytes: bytes, memory: memory, folder: container.broadcastFolder, program: program.name
    ) { texts in
      for text in texts { report(text) }
      StandardStream.error.flush(within: .milliseconds(500))
    }
    do throws(StorageError) {
      try limit.start()
      return limit
    } catch {
      report("The memory limit is not enforced: \(error).")
      return nil
    }
  }

  /// Makes the container, as the system does for an app group. The article's handler does this itself, and reports
  /// a failure to the app.
  private func prepare(
    _ container: AppGroupContainer, for handler: RPBroadcastSampleHandler
  ) throws(ProgramFailure) {
    if handler is SampleHandler { return }
    do throws(StorageError) { try container.prepare() } catch {
      throw ProgramFailure(errno: error.code, "The container cannot be made: \(error).")
    }
  }

  private func container(_ options: CommonOptions, console: Console) throws(ProgramFailure)
    -> AppGroupContainer
  {
    let standard = AppGroupRoot.standard()
    if options.container == nil, standard.isDiskFallback {
      console.report(
        "\(program.name): There is no memory file system here; frames go to \(standard.path), which may be slow. "
          + "Name a better place with --container.")
    }
    let root = options.container ?? standard.path
    // Handlers other than the article's ask the system for the container, and must get this one.
    // UNSAFE: C strings for the call; no other thread reads the environment yet.
    _ = unsafe setenv("BROADCAST_CONTAINER", root, 1)
    _ = unsafe setenv("BROADCAST_GROUP", options.group, 1)
    do {
      return try AppGroupContainer(root: root, group: options.group)
    } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
  }

  /// The failure of a second signal, while the first waits for the handler.
  private static let handlerDoesNotReturn = ProgramFailure(
    .endedByHandler, "The handler does not return; the broadcast ended without broadcastFinished.")

  private func handleSignals(_ system: BroadcastSystem) {
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { [program] in
        MainActor.assumeIsolated {
          if system.isWaitingForHandler { program.exit(Self.handlerDoesNotReturn) }
          system.perform(.stop)
        }
      }
    }
    signals.handle(SIGUSR1) { MainActor.assumeIsolated { _ = system.perform(.pause) } }
    signals.handle(SIGUSR2) { MainActor.assumeIsolated { _ = system.perform(.resume) } }
  }
}
