import AppleFoundation
import Causes
import CommandLineSupport
import CoreMedia
import EmulatedDevice
import EmulatedSystem
import Foundation
import PhoneLink
import Platform
import ReplayKitCore
import RunReports
import ScreenBroadcast
import SharedMemory
import Synchronization

/// The process of an extension: sets up the emulated system as the options say, and ends with an exit code.
@MainActor
final class ExtensionProcess {
  let options: ProducerOptions
  let program: Program<ProducerOptions>
  private let time: DeviceTime
  let console: Console
  let report: @Sendable (String) -> Void
  let container: AppGroupContainer
  var dataContainer: DataContainer
  let device: Device
  private let progressTimer: any RepeatingTimer
  private let signals = SignalSources(queue: .main)
  /// Handles the signals that end the broadcast, even while the main thread hangs.
  private let stopSignals = SignalSources(queue: DispatchQueue(label: "broadcast.stop"))
  private var system: BroadcastSystem?
  private var controlService: ControlService?
  /// Whether another process held the control socket. This process tries again each second.
  private var isControlBusy = false
  /// Shows other processes that a broadcast runs, if the handler does not take the article's lock.
  var lock: ProcessLock?
  /// The exit of the process after the end of the broadcast, and the timer that waits until the app is suspended.
  private var afterEnd: (wait: (any RepeatingTimer)?, exit: @MainActor @Sendable () -> Void)?
  private var abnormalEnd: AbnormalEnd?
  private var hasSaidHowToEnd = false
  private let watch: WatchdogThread
  /// Whether a signal has continued the process since the last second.
  private var wasContinued = false
  /// The shortest gap without a running thread that counts as a suspension. Shorter gaps are host load.
  private static let shortestStop = Duration.milliseconds(200)
  /// When the handler returned from its last call, and the number of bytes that it had sent by then.
  var end: (time: Date, sentBytes: UInt64)?
  /// The minimum time from ``end`` to the exit of the process. A scenario of `check` sets it, to see what is written then.
  static let lingering = Duration.seconds(
    Double(ProcessInfo.processInfo.environment["BROADCAST_LINGER"] ?? "") ?? 0)

  init(
    _ options: ProducerOptions, program: Program<ProducerOptions>, time: DeviceTime = DeviceTime()
  ) throws(ProgramFailure) {
    self.options = options
    self.program = program
    self.time = time
    // Install the device first, because timers look it up.
    var identity = options.screen.identity
    identity.memoryLimit = options.memoryLimit
    device = Device(identity, role: .extension, denied: options.screen.denied, clock: time.clock)
    Device.install(device)
    watch = WatchdogThread(clock: time.clock)
    progressTimer = time.makeTimer(.main)
    console = options.common.console()
    report = { [console, name = program.name] in console.report("\(name): \($0)") }
    // Create it before `container(_:report:)` puts the group's container into the environment.
    dataContainer = DataContainer(of: options.common.group, root: options.common.container)
    container = try Self.container(options.common, report: report)
    try options.namedFiles.checkDiffer(fromContainer: container.files)
  }

  /// Starts a broadcast with a handler, and returns. The process exits later, in a call on the main queue.
  func broadcast(_ classes: [PrincipalClass]) throws(ProgramFailure) {
    let principalClass = try classes.chosen(
      by: options.infoPlist.map { path throws(ProgramFailure) in try ExtensionInfo(path: path) })
    let trace = try options.trace.read()
    let recorder = try options.trace.makeRecorder(clock: time.clock)
    var launched: Launch?
    let handle: @MainActor (BroadcastSystem.Event) -> Void = { [weak self] event in
      guard let self, let launch = launched else { return }
      if case .started = event {
        publishDevice()
        launch.memoryLimit?.setSession(launch.session?.id)
        if launch.article == nil { takeLock() }
      }
      var traceFailure: ProgramFailure?
      if case .finished(let ending, _) = event {
        do throws(FileError) { try recorder?.finish() } catch {
          traceFailure = ProgramFailure(errno: error.code, "The trace is not complete: \(error).")
        }
        let recordings = reportWritten(self.system?.recordings)
        if ending.callsFinished {
          launch.reporter.add(recordings.flatMap { RecordingFault.all(of: $0) })
        }
        if let progress = self.system?.progress { launch.reporter.lastSecond(progress) }
      }
      launch.reporter.report(event)
      launch.report?.note(event)
      if case .call(let call) = event, call.isLong, self.abnormalEnd?.hasSignal == true, !hasSaidHowToEnd {
        hasSaidHowToEnd = true
        self.report("A second signal ends the process without broadcastFinished.")
      }
      guard case .finished(let ending, let end) = event else { return }
      controlService?.stop()
      releaseLock()
      let failure =
        traceFailure ?? ending.failure ?? launch.article?.closeFailure.map(Self.failure)
      let exit: @MainActor @Sendable () -> Void = { [weak self] in
        self?.exit(failure, after: ending, end, launch)
      }
      afterEnd = (self.system?.suspendApp(then: exit), exit)
    }
    let system = try BroadcastSystem(
      on: device, screen: options.screen, audio: options.audio, setupInfo: options.setupInfo,
      schedule: options.schedule, durationLimit: options.limits.duration,
      frameLimit: options.limits.frames.map(UInt64.init), time: time, trace: trace,
      recorder: recorder, container: container, slotCount: options.slots, layout: options.layout,
      report: { [report] in report("\($0).") }
    ) { screen throws(ProgramFailure) in
      let launch = try self.launch(
        principalClass, on: screen, traceBytes: { (recorder?.byteCount ?? 0) + (trace?.byteCount ?? 0) })
      launched = launch
      return launch.handler
    } onEvent: { [time, device, weak self] event in
      guard case .finished(let ending, var end) = event else { return handle(event) }
      let lastCall = (time: Date(), sentBytes: SocketProxy.shared(for: device).sentBytes ?? 0)
      ShutdownWait.wait(time, since: self?.system?.lastReturn, atLeast: Self.lingering) { work in
        self?.end = lastCall
        end.workSeconds = work.map { $0 / .seconds(1) }
        handle(.finished(ending, end))
      }
    }
    guard let launch = launched else { return }
    if launch.article != nil { try checkGroup() }
    if let failure = launch.containerFailure, launch.article == nil {
      throw ProgramFailure(errno: failure.code, "The container cannot be created: \(failure).")
    }
    system.dialog = dialog
    self.system = system
    AVAssetWriterRecord.onEvent.withLock {
      $0 = Callback { [recordings = system.recordings] event in
        recordings.note(event)
        guard case .earlyAppend = event else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { system.note(.notReady) } }
      }
    }
    let noteRefusal: @Sendable (Refusal, String) -> Void = { [report] refusal, name in
      guard let misuse = HandlerMisuse(rawValue: refusal.rawValue) else {
        return report("\(refusal.sentence) \(name)")
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { system.note(misuse, name: name) } }
    }
    Refusal.report.withLock { $0 = Callback(noteRefusal) }
    system.appContainer = container
    let abnormalEnd = AbnormalEnd(
      program, limit: options.hangTimeout, system: system, reporter: launch.reporter,
      dialog: dialog.textOfCrash, clock: time.clock,
      writeReport: { [conclude = launch.conclude] end, failure in conclude(nil, end, [:], failure) ?? failure
      })
    self.abnormalEnd = abnormalEnd
    handleSignals(system, abnormalEnd)
    signals.handle(SIGCONT) { [weak self] in MainActor.assumeIsolated { self?.wasContinued = true } }
    progressTimer.startOnMain(every: SecondEvent.period) { [weak self, container, watch] in
      // A failure to truncate the log does not end the broadcast.
      do throws(FileError) { try container.limitLog() } catch {}
      if self?.isControlBusy == true, self?.end == nil { self?.startControl(of: system) }
      let gap = watch.takeGap()
      guard gap.length > Self.shortestStop else {
        self?.wasContinued = false
        return launch.sample(system.progress)
      }
      // SIGCONT may be handled after the timers, so wait a moment.
      MainQueue.run(after: .milliseconds(100)) {
        if self?.wasContinued == true { launch.reporter.noteStop(of: gap.length, until: gap.end) }
        self?.wasContinued = false
        launch.sample(system.progress)
      }
    }
    system.watchCalls(on: watch) { [reporter = launch.reporter] in
      reporter.report($0)
      abnormalEnd.note($0)
    }
    if launch.containerFailure == nil { startControl(of: system) }
    launch.reporter.noteLaunch()
    system.start()
  }

  /// A handler and the objects that measure and report it.
  @MainActor private struct Launch {
    let handler: RPBroadcastSampleHandler
    /// The reason if there is no container. The article's handler reports it itself.
    let containerFailure: FileError?
    let memory: ExtensionMemory
    let memoryLimit: MemoryLimit?
    let reporter: ProducerReporter
    let report: RunReport?
    /// Writes the report if one is wanted, and returns the failure with which the program ends. Works on any thread.
    let conclude:
      @Sendable (BroadcastEnding?, BroadcastEnd, [HandlerMisuse: UInt64], ProgramFailure?) -> ProgramFailure?

    var article: SampleHandler? { handler as? SampleHandler }
    var session: RingSession? { article?.session }

    func sample(_ progress: BroadcastProgress) {
      if let second = reporter.second(progress) { report?.add(second) }
    }
  }

  /// Creates the handler after preparing the process as on a device: its bundle, app groups and memory limit.
  private func launch(
    _ principalClass: PrincipalClass, on screen: EmulatedScreen, traceBytes: @escaping @Sendable () -> Int
  ) throws(ProgramFailure) -> Launch {
    let containerFailure = prepareContainer()
    if containerFailure == nil { enterDataContainer() }
    let memory = ExtensionMemory { [content = screen.content.systemMemory] in
      content().adding(traceBytes())
    }
    fillMainBundle(from: options.infoPlist)
    try applyEntitlements(from: options.entitlements)
    memory.answerQuestions(limit: options.memoryLimit)
    let facts =
      containerFailure == nil
      ? FactsFile(in: container) { [report] in
        report("The app's side gets no events of this broadcast: \($0).")
      }
      : nil
    let memoryLimit = limitMemory(memory, facts)
    if options.common.json { writeLogAsJSON() }
    let handler = principalClass.make()
    let reporter = ProducerReporter(
      program: program.name, console: console, lines: options.common.jsonLines, screen: screen,
      container: container.folder, memory: memory,
      budget: options.memoryLimit ?? Device.usualMemoryLimit,
      factsFile: facts, clock: time.clock
    ) { (handler as? SampleHandler)?.session }
    let report =
      options.report.isWanted
      ? RunReport(
        title: program.name, container: container.folder, budget: options.memoryLimit, clock: time.clock)
      : nil
    return Launch(
      handler: handler, containerFailure: containerFailure, memory: memory, memoryLimit: memoryLimit,
      reporter: reporter, report: report
    ) { [options = options.report, console] ending, end, misuses, failure in
      // The handler may not write here, but the program may.
      Refusal.writableFolders.withLock { $0 = nil }
      do throws(ProgramFailure) {
        return try report?.write(
          options, of: ending, end, misuses: misuses, causes: reporter.causes.causes, failure: failure,
          console: console) ?? failure
      } catch { return failure ?? error }
    }
  }

  private var dialog: BroadcastDialog {
    let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleDisplayName") as? String
    return BroadcastDialog(name: name ?? program.name, ios: options.screen.ios)
  }

  /// Writes the report, if one was requested, and exits.
  private func exit(
    _ failure: ProgramFailure?, after ending: BroadcastEnding, _ end: BroadcastEnd, _ launch: Launch
  ) {
    AbnormalEnd.disarm()
    program.exit(launch.conclude(ending, end, system?.misuses ?? [:], failure))
  }

  /// Enforces the extension's memory limit from now on. Before the process is killed, it records the kill in the facts file.
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

  private func startControl(of system: BroadcastSystem) {
    isControlBusy = false
    do throws(FileError) {
      controlService = try ControlService(container: container, system: system, report: report)
    } catch {
      // The handler refuses a broadcast if another process uses the container.
      if error.reason == .busy { return isControlBusy = true }
      report("The subcommand 'control' will not reach this broadcast: \(error).")
    }
  }

  /// Returns the failure of a broadcast whose session was not closed properly at its end.
  private static func failure(_ error: any Error) -> ProgramFailure {
    ProgramFailure(
      errno: (error as? FileError)?.code ?? EIO,
      "The broadcast ended, but its flag or its files may remain; repair them with 'broadcast doctor --fix'.")
  }

  private func handleSignals(_ system: BroadcastSystem, _ abnormalEnd: AbnormalEnd) {
    for number in SignalSources.requestsToEnd {
      stopSignals.handle(number) { [weak self] in
        abnormalEnd.noteSignal()
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            abnormalEnd.noteHandled()
            self?.afterEnd?.exit()
            system.perform("stop")
          }
        }
      }
    }
    for (number, event) in [(SIGUSR1, "pause"), (SIGUSR2, "resume")] as [(Int32, DeviceEvent)] {
      signals.handle(number) { MainActor.assumeIsolated { _ = system.perform(event) } }
    }
  }
}
