import AppleFoundation
import Causes
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import PhoneLink
import Platform
import ReplayKit
import RunReports
import ScreenBroadcast
import SharedMemory
import Synchronization

/// The process of an extension: wires what the options ask for, and ends with an exit code.
@MainActor
final class ExtensionProcess {
  private let options: ProducerOptions
  let program: Program<ProducerOptions>
  private let time: DeviceTime
  private let console: Console
  private let report: @Sendable (String) -> Void
  private let container: AppGroupContainer
  private var dataContainer: DataContainer
  private let device: Device
  private let progressTimer: any RepeatingTimer
  private let signals = SignalSources(queue: .main)
  private var system: BroadcastSystem?
  private var controlService: ControlService?
  /// Shows other processes that the broadcast of a handler without the article's lock runs.
  private var lock: ProcessLock?
  /// What waits for the suspension of the app, once the broadcast is over.
  private var afterEnd: (wait: (any RepeatingTimer)?, exit: @MainActor @Sendable () -> Void)?
  private var firstStopSignal: MonotonicTime?
  private var hasSaidTheWayOut = false
  private let watch: PhoneWatch
  /// Whether a signal has continued the process since the last second.
  private var wasContinued = false
  /// A shorter time in which no thread ran is the machine's.
  private static let shortestStop = Duration.milliseconds(200)
  /// When the handler returned from its last call, and what it had sent then.
  private var end: Date?
  private var sentBytes: UInt64 = 0
  /// How long the process lives after that in any case: a scenario of `check` sees what is written then.
  private static let lingering = Duration.seconds(
    Double(ProcessInfo.processInfo.environment["BROADCAST_LINGER"] ?? "") ?? 0)

  init(
    _ options: ProducerOptions, program: Program<ProducerOptions>, time: DeviceTime = DeviceTime()
  ) throws(ProgramFailure) {
    self.options = options
    self.program = program
    self.time = time
    // Timers ask for it.
    var identity = options.screen.identity
    identity.memoryLimit = options.memoryLimit
    device = Device(identity, role: .extension, denied: options.screen.denied, clock: time.clock)
    Device.install(device)
    watch = PhoneWatch(clock: time.clock)
    progressTimer = time.makeTimer(.main)
    console = options.common.console()
    report = { [console, name = program.name] in console.report("\(name): \($0)") }
    // First: the container of the group is in the environment afterwards.
    dataContainer = DataContainer(of: options.common.group, root: options.common.container)
    container = try Self.container(options.common, report: report)
    try options.namedFiles.checkDiffer(fromContainer: container.files)
  }

  /// Starts the broadcast of a handler. The process ends from the main queue.
  func broadcast(_ classes: [PrincipalClass]) throws(ProgramFailure) {
    let principalClass = try classes.chosen(
      by: options.infoPlist.map { path throws(ProgramFailure) in try ExtensionInfo(path: path) })
    let trace = try options.trace.read()
    let traceRun = try TraceRun(options.trace, trace: trace, clock: time.clock)
    var launched: Launch?
    let audio = try options.audio(report: report)
    let handle: @MainActor (BroadcastSystem.Event) -> Void = { [weak self] event in
      guard let self, let launch = launched else { return }
      if case .started = event {
        publishDevice()
        launch.memoryLimit?.setSession(launch.session?.id)
        if launch.article == nil { takeLock() }
      }
      var traceFailure: ProgramFailure?
      if case .finished(let report) = event {
        traceFailure = traceRun.finish(console, options.common.jsonLines, program: program.name)
        let recordings = reportWritten(self.system?.recordings)
        if report.ending.callsFinished {
          launch.reporter.add(recordings.flatMap { RecordingFault.all(of: $0) })
        }
      }
      launch.reporter.report(event)
      launch.report?.note(event)
      if case .call(let call) = event, call.isLong, firstStopSignal != nil, !hasSaidTheWayOut {
        hasSaidTheWayOut = true
        self.report("Another signal ends the process without broadcastFinished.")
      }
      guard case .finished(let report) = event else { return }
      controlService?.stop()
      releaseLock()
      let failure =
        traceFailure ?? report.ending.failure ?? launch.article?.closeFailure.map(Self.failure)
      let exit: @MainActor @Sendable () -> Void = { [weak self] in
        self?.exit(failure, after: report, launch)
      }
      afterEnd = (self.system?.suspendApp(then: exit), exit)
    }
    let system = try BroadcastSystem(
      on: device, screen: options.screen, audio: audio, setupInfo: options.setupInfo,
      schedule: options.schedule, durationLimit: options.limits.duration,
      frameLimit: options.limits.frames.map(UInt64.init), time: time, trace: trace,
      recorder: traceRun.recorder, container: container, slotCount: options.slots, layout: options.layout,
      report: { [report] in report("\($0).") }
    ) { screen throws(ProgramFailure) in
      let launch = try self.launch(principalClass, on: screen, traceRun, trace)
      launched = launch
      return launch.handler
    } onEvent: { [time, device] event in
      guard case .finished(var report) = event else { return handle(event) }
      let (end, sentBytes) = (Date(), SocketProxy.of(device).sentBytes ?? 0)
      RemainingWork.wait(time, atLeast: Self.lingering) { [weak self] work in
        self?.end = end
        self?.sentBytes = sentBytes
        report.workAfterEnd = work
        handle(.finished(report))
      }
    }
    guard let launch = launched else { return }
    if launch.article != nil { try checkGroup() }
    if let failure = launch.containerFailure, launch.article == nil {
      throw ProgramFailure(errno: failure.code, "The container cannot be made: \(failure).")
    }
    system.dialog = dialog
    self.system = system
    AVAssetWriter.onEvent.withLock {
      $0 = { [recordings = system.recordings] event in
        recordings.note(event)
        guard case .earlyAppend = event else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { system.note(.notReady) } }
      }
    }
    system.appContainer = container
    handleSignals(system)
    if launch.containerFailure == nil { startControl(of: system, launch.memory) }
    signals.handle(SIGCONT) { [weak self] in MainActor.assumeIsolated { self?.wasContinued = true } }
    progressTimer.start(every: .seconds(1)) { [weak self, container, watch] in
      MainActor.assumeIsolated {
        // A log that cannot be cut does not end a broadcast.
        do throws(FileError) { try container.limitLog() } catch {}
        launch.reporter.show(system.progress)
        let gap = watch.takeGap()
        guard gap.length > Self.shortestStop else {
          self?.wasContinued = false
          return launch.sample(system.progress)
        }
        // The signal that continued the process may come after its timers.
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
          MainActor.assumeIsolated {
            if self?.wasContinued == true { launch.reporter.noteStop(of: gap.length, until: gap.end) }
            self?.wasContinued = false
            launch.sample(system.progress)
          }
        }
      }
    }
    system.watchCalls(on: watch) { [reporter = launch.reporter] in reporter.report($0) }
    system.start()
  }

  /// What belongs to a handler in this process.
  @MainActor private struct Launch {
    let handler: RPBroadcastSampleHandler
    /// Why there is no container, which the article's handler reports itself.
    let containerFailure: FileError?
    let memory: ExtensionMemory
    let memoryLimit: MemoryLimit?
    let reporter: ProducerReporter
    let report: RunReport?

    var article: SampleHandler? { handler as? SampleHandler }
    var session: RingSession? { article?.session }

    func sample(_ progress: BroadcastReport.Progress) {
      reporter.sample(progress)
      report?.sample(progress)
    }
  }

  /// Makes the handler in a process as it is on a device: with its bundle, its groups and its memory.
  private func launch(
    _ principalClass: PrincipalClass, on screen: EmulatedScreen, _ traceRun: TraceRun, _ trace: Trace?
  ) throws(ProgramFailure) -> Launch {
    let containerFailure = prepareContainer()
    if containerFailure == nil { enterDataContainer() }
    let memory = ExtensionMemory { [content = screen.content.systemMemory] in
      content().adding(traceRun.byteCount + (trace?.byteCount ?? 0))
    }
    fillMainBundle(from: options.infoPlist)
    try grantGroups(from: options.entitlements)
    memory.answerQuestions(limit: options.memoryLimit)
    let facts = containerFailure == nil ? factsFile() : nil
    let memoryLimit = limitMemory(memory, facts)
    if options.common.json { writeLogAsJSON() }
    let handler = principalClass.make()
    let reporter = ProducerReporter(
      program: program.name, console: console, lines: options.common.jsonLines, screen: screen,
      container: container.folder, reportsMemory: options.memoryReport, memory: memory,
      budget: options.memoryLimit ?? Device.usualMemoryLimit,
      factsFile: facts, clock: time.clock
    ) { (handler as? SampleHandler)?.session }
    let report =
      options.report.isWanted
      ? RunReport(
        title: program.name, container: container.folder, framesPerSecond: screen.framesPerSecond,
        memory: memory, budget: options.memoryLimit, clock: time.clock) : nil
    return Launch(
      handler: handler, containerFailure: containerFailure, memory: memory, memoryLimit: memoryLimit,
      reporter: reporter, report: report)
  }

  /// Begins the file of facts, unless it is that of a broadcast that runs. Without one, the app's side knows less of the cause.
  private func factsFile() -> FactsFile? {
    do throws(FileError) {
      for lock in [container.producerLockFile, container.extensionLockFile] {
        if case .alive = try ProcessLock.holder(at: lock) { return nil }
      }
      return try FactsFile(in: container)
    } catch {
      report("The app's side gets no facts of this broadcast: \(error).")
      return nil
    }
  }

  private var dialog: BroadcastDialog {
    let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleDisplayName") as? String
    return BroadcastDialog(name: name ?? program.name, ios: options.screen.ios)
  }

  /// Exits, after the report if there is one.
  private func exit(_ failure: ProgramFailure?, after result: BroadcastReport, _ launch: Launch) {
    do throws(ProgramFailure) {
      try launch.report?.write(
        options.report, of: result, causes: launch.reporter.causes.causes, failure: failure, console: console)
      program.exit(failure)
    } catch {
      program.exit(failure ?? error)
    }
  }

  /// Makes the container, as the system does for an app group, and forgets a crash. The article's handler reports a failure to
  /// the app.
  private func prepareContainer() -> FileError? {
    do throws(FileError) { try container.prepare() } catch { return error }
    do throws(FileError) { try ProcessLock.forgetCrash(at: container.extensionLockFile) } catch {
      // Taking the lock reports it, if this broadcast needs the lock.
    }
    return nil
  }

  /// Gives the handler folders of its own, which a broadcast without them does not need.
  private func enterDataContainer() {
    do throws(FileError) { try dataContainer.enter() } catch {
      report("The extension has no home folder of its own: \(error).")
    }
  }

  /// Reports what the handler recorded, and what it left in its data container; returns the former.
  private func reportWritten(_ log: RecordingLog?) -> [RecordingEvent] {
    let recordings = log?.events ?? []
    for event in recordings {
      options.common.jsonLines?.write(event, reportingTo: console, as: program.name)
    }
    var written = dataContainer.written(end: end)
    if let sentence = WroteEvent.sentence(written, in: dataContainer.folder) { console.say(sentence) }
    if Self.lingering > .zero {
      written += DataContainer.writtenLate(in: container, end: end) + sentLate
    }
    for event in written { options.common.jsonLines?.write(event, reportingTo: console, as: program.name) }
    return recordings
  }

  /// What the handler sent over a connection after its last call.
  private var sentLate: [WroteEvent] {
    let proxy = SocketProxy.of(device)
    guard let end, let newest = proxy.newestSend, let delay = DataContainer.delay(of: newest.time, after: end)
    else {
      return []
    }
    let bytes = Int(clamping: (proxy.sentBytes ?? 0) - sentBytes)
    return [WroteEvent(file: newest.path, bytes: bytes, secondsAfterEnd: delay)]
  }

  /// Lets the apps of other processes follow the device.
  private func publishDevice() {
    do throws(FileError) {
      try device.publish { [report] in report("Apps do not follow the phone: \($0).") }
    } catch {
      let reason =
        if case .held = error.reason { "another phone runs with these containers" } else { "\(error)" }
      report("Apps do not follow this phone: \(reason).")
    }
  }

  /// Enforces the extension's memory limit from now on. A process that is killed leaves the fact of it.
  private func limitMemory(_ memory: ExtensionMemory, _ facts: FactsFile?) -> MemoryLimit? {
    guard let bytes = options.memoryLimit else { return nil }
    let limit = MemoryLimit(
      bytes: bytes, memory: memory, folder: container.broadcastFolder, clock: time.clock
    ) { [report, name = program.name, dialog] record in
      facts?.append(Fact(record, at: MonotonicTime(nanoseconds: record.atNs), pid: record.pid))
      report(record.logLine(program: name))
      report("A phone shows: \"\(dialog.textOfCrash)\" (RPRecordingErrorDomain, -5808)")
      StandardStream.error.flush(within: .milliseconds(500))
    }
    do throws(FileError) {
      try limit.start(on: watch)
      return limit
    } catch {
      report("The memory limit is not enforced: \(error).")
      return nil
    }
  }

  /// The article's handler was given its container, and would not notice that the system has none for it.
  private func checkGroup() throws(ProgramFailure) {
    if AppGroupEntitlements.allow(container.group) { return }
    // Asks as an app does, so that the log has the system's line.
    _ = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: container.group)
    throw ProgramFailure(
      .notPermitted,
      "The handler has no container: \(AppGroupContainer.Failure.unknownGroup(container.group)).")
  }

  private func startControl(of system: BroadcastSystem, _ memory: ExtensionMemory) {
    do throws(FileError) {
      controlService = try ControlService(
        container: container, system: system, memory: memory, report: report)
    } catch {
      // The handler refuses the broadcast of a container that another process uses.
      if error.reason == .busy { return }
      report("The subcommand 'control' will not reach this broadcast: \(error).")
    }
  }

  private func takeLock() {
    do throws(FileError) { lock = try ProcessLock(path: container.extensionLockFile) } catch {
      report("'consumer' does not see this broadcast: \(error).")
    }
  }

  private func releaseLock() {
    do throws(FileError) {
      try device.endPublishing()
      try lock?.release()
    } catch {
      report("\(error).")
    }
  }

  private static func container(
    _ options: CommonOptions, report: (String) -> Void
  ) throws(ProgramFailure) -> AppGroupContainer {
    let standard = AppGroupRoot.standard()
    if options.container == nil, standard.isDiskFallback {
      report(
        "There is no memory file system here; frames go to \(standard.path), which may be slow. "
          + "Name a better place with --container.")
    }
    let container = try options.appGroupContainer()
    // Handlers other than the article's ask the system for the container, and must get this one.
    // UNSAFE: C strings for the call; no other thread reads the environment yet.
    _ = unsafe setenv("BROADCAST_CONTAINER", container.parentFolder, 1)
    _ = unsafe setenv("BROADCAST_GROUP", options.group, 1)
    return container
  }

  /// The failure of a broadcast that ended, but was not closed in order.
  private static func failure(_ error: any Error) -> ProgramFailure {
    ProgramFailure(
      errno: (error as? FileError)?.code ?? EIO,
      "The broadcast ended, but its flag or its files may remain; repair them with 'consumer doctor --fix'.")
  }

  /// Exits when the handler has not returned since an earlier signal. Two signals in short succession are one request.
  private func exitIfHandlerHangs(_ system: BroadcastSystem) {
    let now = time.clock.now
    let first = firstStopSignal ?? now
    firstStopSignal = first
    guard system.isWaitingForHandler, now - first >= .seconds(1) else { return }
    program.exit(
      ProgramFailure(
        .endedByHandler, "The handler does not return; the broadcast ended without broadcastFinished."))
  }

  private func handleSignals(_ system: BroadcastSystem) {
    let events: [(Int32, DeviceEvent)] =
      SignalSources.requestsToEnd.map { ($0, "stop") } + [(SIGUSR1, "pause"), (SIGUSR2, "resume")]
    for (number, event) in events {
      signals.handle(number) { [weak self] in
        MainActor.assumeIsolated {
          if event == "stop" {
            self?.exitIfHandlerHangs(system)
            self?.afterEnd?.exit()
          }
          system.perform(event)
        }
      }
    }
  }
}
