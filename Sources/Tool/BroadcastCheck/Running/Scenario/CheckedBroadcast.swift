import Causes
import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import Synchronization

/// The broadcast of a scenario in real processes: performs the steps of the scenario, and returns the outcome of each.
///
/// A step blocks the calling thread.
final class CheckedBroadcast {
  typealias Outcome = ScenarioSteps.Outcome

  let scenario: Scenario
  let subject: CheckSubject
  let programs: LaunchedBroadcast
  private let interruption: Interruption
  private let hangs: KnownHangs
  let clock = SystemClock()
  /// The newest process of each side.
  private(set) var processes: [LaunchedBroadcast.Side: RecordedProcess] = [:]
  /// All processes that were launched, in order. A process without a side is a command of the app.
  private(set) var launched: [(side: LaunchedBroadcast.Side?, process: RecordedProcess)] = []
  /// A handler call that is known to be blocked.
  private(set) var hang: CallEvent?
  /// The content of the container before the newest launch of the extension, and the part that the app has had open.
  private(set) var earlierContent = ContainerContent()
  var appContent: Set<String> = []
  /// The instant from which the times of the scenario are measured.
  private var base: MonotonicTime
  /// The app as the system controls it since its launch, and when it will be suspended in the background.
  var phoneApp: PhoneApp?
  var suspensionTime: MonotonicTime?
  /// When the app was killed or suspended since the newest launch of the extension.
  var appEnd: MonotonicTime?
  /// The first and the newest fault of the scenario that concern the connections of the newest extension, or its app.
  private(set) var faults: (first: MonotonicTime, newest: MonotonicTime)?
  /// The folder of pictures; `nil` if the scenario reads none.
  private(set) var pictures: PictureFolder?
  /// Watches how pictures in the container are written and read; `nil` unless the scenario judges the content of the container.
  private(set) var pictureFiles: PictureFiles?
  private var nextLook = MonotonicTime.zero

  /// - Parameter folder: the folder of the scenario's containers and files.
  init(
    _ scenario: Scenario, of subject: CheckSubject, in folder: String, hangs: KnownHangs,
    interruption: Interruption
  ) throws(ProgramFailure) {
    self.scenario = scenario
    self.subject = subject
    self.hangs = hangs
    self.interruption = interruption
    do {
      programs = try LaunchedBroadcast(root: "\(folder)/c", group: subject.group, errorFolder: folder)
    } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
    base = clock.now
    do throws(FileError) {
      try PrivateFolder.prepare(folder)
      if readsPictures { pictures = try PictureFolder(path: "\(folder)/pictures") }
      if countsContent, subject.app?.isArticles == false { pictureFiles = try PictureFiles(below: root) }
    } catch { throw ProgramFailure(error) }
  }

  /// The folder of the containers.
  var root: String { programs.root }

  /// All launches of the extension.
  var extensions: [RecordedProcess] { launched.filter { $0.side == .extension }.map(\.process) }

  /// Whether the scenario judges the content of the container.
  private var countsContent: Bool {
    scenario.actions.contains { action in
      if case .expect(let expectation) = action.step { expectation.path.root == .container } else { false }
    }
  }

  func perform(_ step: ScenarioSteps.Step) throws(ScenarioStop) -> Outcome {
    if countsContent { try noteContentOfApp() }
    switch step {
    case .waitUntil(let time): while clock.now < base + time { try pause(atMost: base + time) }
    case .delayLater(let time): base = clock.now - time
    case .perform(let step): return try perform(step)
    case .endExtension: return try control(.extension, .end, within: Scenario.standardLimit)
    case .awaitUse: return .isUsed(try isUsed())
    case .confirmLeak: return try confirmLeak()
    case .lookAtApp: return processes[.app].flatMap(ownEnd).map { .appEnded($0) } ?? .done
    case .awaitEndWithApp(let isStated): return .endsWithApp(try endsWithApp(isStated: isStated))
    case .stop: break
    }
    return .done
  }

  private func perform(_ step: Scenario.Step) throws(ScenarioStop) -> Outcome {
    let start = clock.now
    defer { if step.disturbsConnections { faults = (faults?.first ?? start, clock.now) } }
    return switch step {
    case .launch(.extension, let arguments): try launchExtension(arguments)
    case .launch(.app, let arguments): try launchApp(arguments)
    case .control(let side, let step, let limit): try control(side, step, within: limit)
    case .stopByApp: try stopByApp()
    case .live(let event, let delay): perform(event, suspendsAfter: delay)
    case .event(let event): try perform(event)
    case .expect(let expectation): try read(expectation)
    }
  }

  /// Kills the processes that still run.
  func end() { for process in processes.values { process.kill() } }

  // MARK: The extension

  private func launchExtension(_ arguments: [String]) throws(ScenarioStop) -> Outcome {
    (appEnd, faults) = (nil, nil)
    earlierContent = try noteContentOfApp()
    // In the scenario about writes after the last call, the extension lives on for some time.
    let process = try launch(
      .extension, subject.executable, subject.arguments(of: arguments, in: programs.container, root: root),
      environment: scenario.name == "after-the-end" ? ["BROADCAST_LINGER": "1.5"] : [:])
    let isAnswered = try wait(within: Scenario.startLimit) {
      process.hasEnded || !process.events("started").isEmpty || !process.events("finished").isEmpty
        || hangs.hang(of: process) != nil
    }
    if let hang = hangs.hang(of: process) { return hung(hang) }
    guard isAnswered else {
      let limit = Scenario.startLimit.decimalSeconds
      return .issue(.hang, "the handler's broadcastStarted has not returned after \(limit) s")
    }
    guard let start = process.events("started").first else {
      base = clock.now
      return .notStarted(causes(of: process))
    }
    base = start.arrival
    return .started
  }

  func hung(_ hang: CallEvent) -> Outcome {
    self.hang = hang
    return .issue(.hang, "the handler's \(hang.text)", isProven: true)
  }

  private func awaitEnd(
    of process: RecordedProcess, _ side: LaunchedBroadcast.Side, within limit: Duration
  ) throws(ScenarioStop) -> Outcome {
    let start = clock.now
    guard try waitForEnd(of: process, within: limit) else {
      if let hang = hangs.hang(of: process, since: start) { return hung(hang) }
      let problem =
        process.isExiting
        ? "has exited, but a process that it started still runs"
        : "has not exited after \(limit.decimalSeconds) s"
      return .issue(.hang, "the \(side.rawValue) \(problem)")
    }
    return side == .extension
      ? .ended(end(of: process)) : ownEnd(ofApp: process).map { .appEnded($0) } ?? .done
  }

  /// Returns how an extension that has ended did so.
  func end(of process: RecordedProcess) -> ScenarioSteps.ExtensionEnd {
    lookAtPictures()
    let isLost = process.events("socket").contains {
      $0.text("what") == "closed" && !["handler", "peer"].contains($0.text("cause"))
    }
    let reason = process.events("finished").last?.text("reason")
    return ScenarioSteps.ExtensionEnd(
      causes: causes(of: process), showsChart: pictures(of: process).contains { $0.reading != nil },
      // A handler may end the broadcast after a fault has closed one of its connections.
      reason: isLost ? nil : reason.flatMap { ["endedByExtension", "stoppedByApp"].contains($0) ? $0 : nil },
      encoderLag: process.events(as: RecordingEvent.self).compactMap(\.encoderLag).first)
  }

  private func confirmLeak() throws(ScenarioStop) -> Outcome {
    guard let process = processes[.extension], causes(of: process).contains(where: { $0.kind == .leak }),
      try wait(within: .seconds(20), { process.hasEnded })
    else { return .done }
    return .ended(end(of: process))
  }

  private func perform(_ event: DeviceEvent) throws(ScenarioStop) -> Outcome {
    guard let process = processes[.extension] else { return .done }
    if let delay = event.endsAfter { process.endRequest = clock.now + delay }
    if event.kills { process.sentSignal = SIGKILL }
    let answer = Mutex<Result<Void, ProgramFailure>?>(nil)
    Thread.detachNewThread { [subject, programs = programs.container] in
      let result = Result { () throws(ProgramFailure) in try subject.control(event, programs) }
      answer.withLock { $0 = result }
    }
    let start = clock.now
    // A handler that blocks its main thread prevents the answer.
    var hang: CallEvent?
    _ = try wait(within: ChildProcess.waitLimit) {
      if answer.withLock({ $0 != nil }) { return true }
      hang = hangs.hang(of: process, since: start)
      return hang != nil
    }
    if let hang { return hung(hang) }
    do throws(ProgramFailure) { try answer.withLock(\.self)?.get() } catch {
      let hasEnded = try waitForEnd(of: process, within: .seconds(1))
      return .refused(error.message, hasEnded ? end(of: process) : nil)
    }
    return .done
  }

  // MARK: Both

  func launch(
    _ side: LaunchedBroadcast.Side?, _ program: URL, _ arguments: [String],
    environment: [String: String] = [:]
  ) throws(ScenarioStop) -> RecordedProcess {
    var environment = environment
    environment[PictureFolder.variable] = pictures?.path
    let name = "\(side?.rawValue ?? "stop")-\(launched.count { $0.side == side } + 1)"
    do throws(ProgramFailure) {
      let process = RecordedProcess(
        try programs.launch(
          program, arguments, as: side, named: name,
          environment: RecordedProcess.environment(adding: environment)))
      launched.append((side, process))
      if let side { processes.updateValue(process, forKey: side)?.kill() }
      if side == .app { phoneApp = PhoneApp(pid: process.pid, root: programs.container.parentFolder) }
      return process
    } catch {
      throw .failure(error)
    }
  }

  private func control(
    _ side: LaunchedBroadcast.Side, _ step: Scenario.ProcessStep, within limit: Duration
  ) throws(ScenarioStop) -> Outcome {
    guard let process = processes[side] else { return .done }
    if side == .app, step != .continue { appEnd = clock.now }
    switch step {
    case .wait: break
    case .end:
      process.send(SIGCONT)
      // iOS kills an app without asking it; `consumer` first writes its summary.
      process.send(side == .app && subject.app?.isArticles == false ? SIGKILL : SIGTERM)
    case .kill: process.send(SIGKILL)
    case .suspend, .continue:
      process.send(step == .suspend ? SIGSTOP : SIGCONT)
      return .done
    }
    return try awaitEnd(of: process, side, within: limit)
  }

  // MARK: Waiting

  func wait(within limit: Duration, _ condition: () -> Bool) throws(ScenarioStop) -> Bool {
    let deadline = clock.now + limit
    while !condition() {
      guard clock.now < deadline else { return false }
      try pause()
    }
    return true
  }

  /// Waits until a process has ended and its output is complete. `limit` excludes the system's own work at the end, processes
  /// that outlive the one that started them, and up to a minute of encoder work since the end began. For a handler call that is
  /// known to be blocked, the whole `limit` is used only if a scenario of a team states it.
  func waitForEnd(of process: RecordedProcess, within limit: Duration) throws(ScenarioStop) -> Bool {
    let start = clock.now
    var rest = limit
    func isHung() -> Bool {
      (scenario.isBuiltIn || limit == Scenario.standardLimit) && hangs.hang(of: process, since: start) != nil
    }
    while true {
      let slice = min(rest, .seconds(1))
      if try wait(within: slice, { process.isExiting || isHung() }) { break }
      if process.encoderTime < .seconds(60), process.countEncoders(slice) { continue }
      rest -= slice
      guard rest > .zero else { return false }
    }
    if !process.isExiting { return false }
    return try wait(within: ChildProcess.waitLimit) { process.hasEnded }
  }

  func pause(atMost deadline: MonotonicTime? = nil) throws(ScenarioStop) {
    if interruption.hasArrived {
      throw .failure(ProgramFailure(.nothingCame, "Interrupted before the end; the check proves nothing."))
    }
    try suspendAppIfDue()
    if clock.now >= nextLook {
      nextLook = clock.now + .milliseconds(200)
      lookAtPictures()
      try stopIfHung()
    }
    // Shorter pauses take a quarter of the CPU time of a check, and the processes that it measures need that time.
    let next = clock.now + .milliseconds(15)
    clock.wait(until: min(next, deadline ?? next))
  }

  /// Stops the scenario if a call of its handler is known to be blocked, because no result can follow. Does not stop it while it
  /// disturbs the app or the connections, because a correct handler may wait for them.
  private func stopIfHung() throws(ScenarioStop) {
    guard scenario.isBuiltIn, !scenario.expectedIssues.contains(.hang), hang == nil, faults == nil,
      appEnd == nil,
      let process = processes[.extension], !process.isExiting, process.endRequest == nil,
      let hang = hangs.hang(of: process, since: clock.now - Self.hangInterval)
    else { return }
    throw .hung(hang)
  }

  /// A call that still hangs is reported every five seconds.
  private static let hangInterval = Duration.seconds(6)

  /// Reads the new pictures. Each takes milliseconds.
  private func lookAtPictures() {
    pictures?.look(at: clock.now)
    pictureFiles?.look()
  }
}
