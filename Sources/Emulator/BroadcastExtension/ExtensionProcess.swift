import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// The process of an extension: puts together what the options ask for, and ends with an exit code.
@MainActor
final class ExtensionProcess {
  private let classes: [PrincipalClass]
  private let program: Program
  private let signals = SignalSources(queue: .main)
  private let progressTimer = DispatchTimer(queue: .main)
  private var system: BroadcastSystem?
  private var controlService: ControlService?

  /// A process that runs one of `classes`, and calls itself `name`.
  init(classes: [PrincipalClass], name: String) {
    self.classes = classes
    program = ProducerOptions.program(named: name)
  }

  /// Begins; the main queue does the rest.
  func run(_ arguments: [String]) {
    program.run(
      arguments,
      parse: { arguments throws(UsageError) in try ProducerOptions.parse(arguments, program: program) }
    ) { options throws(ProgramFailure) in
      if let event = options.control { try send(event, options) } else { try broadcast(options) }
    }
  }

  /// Lets an event happen to the broadcast that runs in another process.
  private func send(_ event: DeviceEvent, _ options: ProducerOptions) throws(ProgramFailure) {
    let console = console(options)
    let container = try container(options.common, console: console)
    try ControlService.send(event, to: container)
    console.say("\(event.text): done.")
    if options.common.json { try JSONLines(to: .output).write(DeviceEventEvent(what: event.text)) }
    program.leave(nil)
  }

  private func console(_ options: ProducerOptions) -> Console {
    Console(messages: options.common.quiet || options.common.json ? nil : .output, errors: .error)
  }

  private func broadcast(_ options: ProducerOptions) throws(ProgramFailure) {
    let console = console(options)
    let principalClass = try principalClass(options)
    let container = try container(options.common, console: console)
    let (content, framesPerSecond) = try content(options)
    let screen = try screen(content, options) { [weak self] misuse in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.system?.note(misuse) } }
    }
    let name = program.name
    let sounds = try audio(options) { console.report("\(name): \($0)") }
    // A principal class is made without parameters.
    BroadcastConfiguration.standard = BroadcastConfiguration(
      container: container, screenWidth: content.width, screenHeight: content.height,
      slotCount: options.slots, layout: options.layout,
      report: { console.report("\(name): \($0).") })
    let memory = ExtensionMemory(system: content.systemMemory)
    let memoryLimit = limitMemory(memory, options, container, console: console)
    let handler = principalClass.make()
    try prepare(container, for: handler)
    let arithmetic = RawVideoArithmetic(
      width: content.width, height: content.height, framesPerSecond: framesPerSecond,
      pixelFormat: screen.pixelFormat, bytesPerRow: screen.bytesPerRow)
    let reporter = ProducerReporter(
      program: name, console: console, lines: options.common.json ? JSONLines(to: .output) : nil,
      arithmetic: arithmetic, reportsMemory: options.memoryReport, memory: memory,
      budget: options.memoryLimit ?? MemoryUse.budget
    ) {
      StartedEvent(
        arithmetic, session: (handler as? SampleHandler)?.session, container: container.folder)
    }
    let system = BroadcastSystem(
      handler: handler, screen: screen, framesPerSecond: framesPerSecond,
      audio: sounds, setupInfo: options.setupInfo, schedule: options.schedule,
      limits: BroadcastSystem.Limits(
        duration: options.common.duration, frames: options.common.frames.map(UInt64.init))
    ) { [weak self, program] event in
      if case .started = event { memoryLimit?.setSession((handler as? SampleHandler)?.session?.id) }
      reporter.report(event)
      guard case .finished(let report) = event else { return }
      self?.controlService?.stop()
      program.leave(report.ending.failure)
    }
    self.system = system
    handleSignals(system)
    controlService = ControlService(container: container, system: system) {
      console.report("\(name): \($0).")
    }
    progressTimer.start(every: .seconds(1)) { MainActor.assumeIsolated { reporter.tell(system.progress) } }
    system.start()
  }

  /// Holds the extension to its limit from here on, where the system's part of the process is made.
  private func limitMemory(
    _ memory: ExtensionMemory, _ options: ProducerOptions, _ container: AppGroupContainer, console: Console
  ) -> MemoryLimit? {
    do throws(StorageError) {
      // There must be a place for the reason, should the limit strike before the handler has made its folders.
      try container.prepare()
      // What a producer before this one was killed for is of no interest any more, unless another one lives.
      switch try ProducerLock.holder(at: container.producerLockFile) {
      case .alive: break
      case .nobody, .died: try PlainFile.remove(MemoryLimit.file(in: container.broadcastFolder))
      }
    } catch {
      // The handler meets the same folders, and tells what is wrong with them.
    }
    guard let bytes = options.memoryLimit else { return nil }
    let limit = MemoryLimit(bytes: bytes, memory: memory, folder: container.broadcastFolder)
    do throws(StorageError) {
      try limit.start()
      return limit
    } catch {
      console.report("\(program.name): The memory limit is not kept: \(error).")
      return nil
    }
  }

  private func principalClass(_ options: ProducerOptions) throws(ProgramFailure) -> PrincipalClass {
    do throws(ExtensionInfo.Failure) {
      return try classes.chosen(
        by: try options.infoPlist.map { path throws(ExtensionInfo.Failure) in
          try ExtensionInfo(path: path)
        })
    } catch {
      throw error.programFailure
    }
  }

  /// The system has an app group's folder ready. The handler of the article does this itself, and tells the app
  /// what kept it from it.
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
    // A handler of somebody else's asks the system for the container, and must get this one.
    // UNSAFE: C strings for the call; no other thread reads the environment yet.
    _ = unsafe setenv("BROADCAST_CONTAINER", root, 1)
    do {
      return try AppGroupContainer(root: root, group: options.group)
    } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
  }

  private func content(
    _ options: ProducerOptions
  ) throws(ProgramFailure) -> (any ScreenContent, framesPerSecond: Double) {
    do throws(ScreenContentError) { return try options.screen.makeContent() } catch {
      throw ProgramFailure(error)
    }
  }

  private func screen(
    _ content: any ScreenContent, _ options: ProducerOptions,
    onMisuse: @escaping @Sendable (HandlerMisuse) -> Void
  ) throws(ProgramFailure) -> EmulatedScreen {
    do throws(ScreenContentError) {
      return try options.screen.makeScreen(content, onMisuse: onMisuse)
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// What a second signal ends the process with, while the first waits.
  private static let handlerDoesNotReturn = ProgramFailure(
    .endedByHandler, "The handler does not return; the broadcast was not ended in order.")

  private func handleSignals(_ system: BroadcastSystem) {
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { [program] in
        MainActor.assumeIsolated {
          if system.isWaitingForHandler { program.leave(Self.handlerDoesNotReturn) }
          system.stop()
        }
      }
    }
    signals.handle(SIGUSR1) { MainActor.assumeIsolated { system.pause() } }
    signals.handle(SIGUSR2) { MainActor.assumeIsolated { system.resume() } }
  }
}
