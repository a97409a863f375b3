import Causes
import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import Synchronization

/// A run of a scenario: launches its processes, performs its actions, judges, and ends what it launched.
///
/// It occupies its thread until the scenario has ended.
final class ScenarioRun {
  let scenario: Scenario
  let subject: CheckSubject
  /// The folder of the scenario's containers and files.
  let root: String
  let container: AppGroupContainer
  private let interruption: Interruption
  /// Whether the scenario judges what is in the container.
  private let countsContent: Bool
  let clock = SystemClock()
  private var random: SeededGenerator

  var processes: [Scenario.Side: RecordedProcess] = [:]
  /// A call of the handler that is known to be blocked.
  private(set) var hang: CallEvent?
  /// All launches of the extension.
  var extensions: [RecordedProcess] { launched.filter { $0.side == .extension }.map(\.process) }
  /// All that it launched, in order. Without a side it is a command of the app.
  private var launched: [(side: Scenario.Side?, process: RecordedProcess)] = []
  /// The content of the container before the newest launch of the extension.
  private(set) var earlierContent = ContainerContent()
  /// What of the container the app has had open.
  var appContent: Set<String> = []
  /// The instant from which `at` counts.
  private var base: MonotonicTime
  var figures: [String] = []
  /// Whether the scenario failed because a process crashed, ended with an error or is known to be blocked, or by a value that
  /// does not depend on times.
  var hasEndedByItself = false
  /// The app as the system leads it since its launch, and when it is suspended in the background.
  var phoneApp: PhoneApp?
  var suspensionTime: MonotonicTime?
  /// When the app was killed or suspended since the newest launch of the extension.
  var appEnd: MonotonicTime?
  /// The folder of pictures, in a scenario that reads some.
  private(set) var pictures: PictureFolder?
  /// How pictures in the container are written and read, in a scenario that judges its content.
  private(set) var pictureFiles: PictureFiles?
  private var nextLook = MonotonicTime.zero
  private let hangs: KnownHangs

  init(
    _ scenario: Scenario, of subject: CheckSubject, in folder: String, seed: UInt64,
    hangs: KnownHangs, interruption: Interruption
  ) throws(ProgramFailure) {
    self.hangs = hangs
    (self.scenario, self.subject, self.interruption) = (scenario, subject, interruption)
    root = folder
    countsContent = scenario.actions.contains { action in
      if case .expect(let expectation) = action.step { expectation.path.root == .container } else { false }
    }
    do { container = try AppGroupContainer(root: folder + "/c", group: subject.group) } catch {
      throw ProgramFailure(.usage, "\(error).")
    }
    random = SeededGenerator(seed: scenario.seed, stream: seed)
    base = clock.now
  }

  /// Runs the scenario to its end.
  func run() throws(ProgramFailure) -> ScenarioVerdict {
    let start = clock.now
    defer { for process in processes.values { process.kill() } }
    let result: ScenarioVerdict.Result
    do throws(ScenarioStop) {
      try checkNeeds()
      do throws(FileError) {
        try PrivateFolder.prepare(root)
        if readsPictures { pictures = try PictureFolder(path: root + "/pictures") }
        if countsContent, subject.app?.isArticles == false {
          pictureFiles = try PictureFiles(below: root + "/c")
        }
      } catch { throw .failure(ProgramFailure(error)) }
      try launchOwnApp()
      for action in scenario.actions {
        do throws(ScenarioStop) {
          try perform(action)
          if try hasEndedByDesign(after: action) { break }
        } catch {
          guard case .failed(let what) = error else { throw error }
          if try hasEndedWithItsApp() { break }
          throw .failed("\(scenario.file):\(action.line): \(what)")
        }
      }
      do throws(ScenarioStop) { try endExtension() } catch {
        guard case .failed = error, try hasEndedWithItsApp() else { throw error }
      }
      if let app = processes[.app] { try judgeEnd(ofApp: app) }
      result = .passed(figures: figures)
    } catch {
      switch error {
      case .failed(let what): result = .failed(scenario.runsAlone ? what + Self.remarkOnTimes : what)
      case .doesNotApply(let why): result = .doesNotApply(why)
      case .failure(let failure): throw failure
      }
    }
    var verdict = ScenarioVerdict(
      scenario: scenario, result: result, duration: clock.now - start, isCertain: hasEndedByItself)
    for broadcast in extensions.flatMap({ $0.events(as: FinishedEvent.self) }) {
      verdict.frames.delivered += broadcast.framesProduced
      verdict.frames.read += broadcast.framesRead
    }
    if verdict.hasFailed, let fault {
      verdict.cause = fault
      // The scenario says what the slowness causes.
      let what = fault.kind == .slow ? "\(verdict.failure ?? "") \(fault.sentence)" : fault.sentence
      verdict.result = .failed(what)
      verdict.isCertain = !fault.dependsOnPace
    }
    return verdict
  }

  /// What a failure says that depends on times.
  #if DEBUG
    private static let remarkOnTimes =
      " This is a debug build, in which pixels take several times as long: repeat it with 'swift build -c release'."
  #else
    private static let remarkOnTimes = ""
  #endif

  /// Writes what each process wrote to a folder that is named after the scenario.
  func keep(in folder: String) -> ScenarioVerdict.Kept {
    let path = "\(folder)/\(scenario.name)"
    let files = FileManager.default
    do {
      // What an earlier check kept.
      if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (_, process) in launched { try process.write(to: path) }
    } catch {
      return .failed("\(path) cannot be written: \(error.reasonText).")
    }
    return .folder(path)
  }

  private func perform(_ action: Scenario.Action) throws(ScenarioStop) {
    let time = action.time.map { base + random.duration(in: $0) }
    if let time { try waitUntil(time) }
    if countsContent { try noteContentOfApp() }
    switch action.step {
    case .launch(.extension, let arguments): return try launchExtension(arguments)
    case .launch(.app, let arguments): try launchApp(arguments)
    case .control(let side, let step, let limit): try control(side, step, limit)
    case .stopByApp: try stopByApp()
    case .live(let event, let delay): try perform(event, suspendsAfter: delay)
    case .event(let event): try perform(event)
    case .expect(let expectation): try check(expectation)
    }
    // A line that was late delays the later ones as much: a pause keeps its length.
    if let time { base = base + (clock.now - time) }
  }

  // MARK: The extension

  private func launchExtension(_ arguments: [String]) throws(ScenarioStop) {
    try endExtension()
    try launchOwnApp()
    appEnd = nil
    earlierContent = try noteContentOfApp()
    let arguments = subject.arguments(of: arguments, in: container, root: root + "/c")
    let process = try launch(.extension, subject.executable, arguments, environment: lingering)
    let isAnswered = try wait(within: Scenario.startLimit) {
      process.hasEnded || !process.events("started").isEmpty || !process.events("finished").isEmpty
        || hangs.hang(of: process) != nil
    }
    if let hang = hangs.hang(of: process) { return try report(hang) }
    guard isAnswered else {
      return try report(
        .hang, "the handler's broadcastStarted has not returned after \(Scenario.startLimit.decimalSeconds) s"
      )
    }
    guard process.events("started").isEmpty else {
      base = process.events("started")[0].arrival
      return try checkUse(by: process)
    }
    base = clock.now
    // Otherwise the scenario itself asks for an end during the start. Built-in scenarios do so only without an error.
    if scenario.isBuiltIn || !scenario.expectedIssues.contains(.error),
      let refusal = causes(of: process).first(where: { $0.kind == .refused })
    {
      throw .failed(refusal.sentence)
    }
  }

  /// Ends the extension as the system does, if it runs, and judges its end.
  private func endExtension() throws(ScenarioStop) {
    guard let process = processes[.extension] else { return }
    if !process.hasEnded {
      process.send(SIGCONT)
      process.send(SIGTERM)
    }
    try awaitEnd(.extension, within: Scenario.standardLimit)
    processes[.extension] = nil
  }

  /// Waits until a process has ended, and judges how.
  private func awaitEnd(_ side: Scenario.Side, within limit: Duration) throws(ScenarioStop) {
    guard let process = processes[side] else {
      throw .failed("The scenario waits for the \(side.rawValue), which it has not launched.")
    }
    let start = clock.now
    guard try waitForEnd(of: process, within: limit) else {
      if let hang = hangs.hang(of: process, since: start) { return try report(hang) }
      let problem =
        process.isExiting
        ? "has exited, but a process that it started still runs"
        : "has not exited after \(limit.decimalSeconds) s"
      return try report(.hang, "the \(side.rawValue) \(problem)")
    }
    if side == .extension { try judgeEnd(of: process) } else { try judgeEnd(ofApp: process) }
  }

  /// Fails if the extension ended in a way that the scenario did not cause.
  func judgeEnd(of process: RecordedProcess) throws(ScenarioStop) {
    guard process.ending != nil else { return }
    lookAtPictures()
    for cause in causes(of: process) {
      switch cause.kind {
      case .killed, .crashed: if cause.isFault { try report(.crash, cause.sentence) }
      case .refused, .ended: if cause.isFault { try report(.error, cause.sentence) }
      case .recordingLost, .recordingWrong, .fileWrong, .pictureWrong, .writtenAfterEnd, .rests:
        if cause.isFault { throw .failed(cause.sentence) }
        guard cause.severity == .warning || scenario.needs == .output && cause.isLongRest,
          !figures.contains(cause.sentence)
        else { continue }
        figures.append(cause.sentence)
      default: break
      }
    }
    try checkPictures(of: process)
  }

  /// Fails if the handler has ended the broadcast in order before the system did, unless it had lost a connection by a fault.
  private func checkReason(of process: RecordedProcess) throws(ScenarioStop) {
    let hasLost = process.events("socket").contains {
      $0.text("what") == "closed" && !["handler", "peer"].contains($0.text("cause"))
    }
    guard !hasLost, let reason = process.events("finished").last?.text("reason"),
      ["endedByExtension", "stoppedByApp"].contains(reason)
    else { return }
    throw .failed("The handler ended the broadcast before the system did (\(reason)).")
  }

  private func perform(_ event: DeviceEvent) throws(ScenarioStop) {
    guard let process = processes[.extension] else {
      throw .failed("The scenario sends '\(event.text)' to an extension that it has not launched.")
    }
    if event.endsAfter != nil { try confirmLeak(in: process) }
    if let delay = event.endsAfter { process.endRequest = clock.now + delay }
    if event.kills { process.sentSignal = SIGKILL }
    let answer = Mutex<Result<Void, ProgramFailure>?>(nil)
    Thread.detachNewThread { [subject, container] in
      let result = Result { () throws(ProgramFailure) in try subject.control(event, container) }
      answer.withLock { $0 = result }
    }
    let start = clock.now
    // A handler that blocks the main thread of its process keeps it from an answer.
    var hang: CallEvent?
    _ = try wait(within: ChildProcess.patience) {
      if answer.withLock({ $0 != nil }) { return true }
      hang = hangs.hang(of: process, since: start)
      return hang != nil
    }
    if let hang { return try report(hang) }
    do throws(ProgramFailure) { try answer.withLock(\.self)?.get() } catch {
      // A process that the event ends may exit before it answers. Its end is judged by what it left.
      if try waitForEnd(of: process, within: .seconds(1)) {
        try judgeEnd(of: process)
        if event.endsAfter != nil { return }
      }
      try report(.refusal, "the event '\(event.text)' was not possible: \(error.message)")
    }
  }

  // MARK: Both

  func launch(
    _ side: Scenario.Side?, _ program: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws(ScenarioStop) -> RecordedProcess {
    var environment = environment
    environment[PictureFolder.variable] = pictures?.path
    let name = "\(side?.rawValue ?? "stop")-\(launched.count { $0.side == side } + 1)"
    do throws(ProgramFailure) {
      let process = try RecordedProcess(
        program, arguments, named: name, environment: environment, errorFile: "\(root)/\(name).err")
      launched.append((side, process))
      if let side { processes.updateValue(process, forKey: side)?.kill() }
      if side == .app { phoneApp = PhoneApp(pid: process.pid, root: container.parentFolder) }
      return process
    } catch {
      throw .failure(error)
    }
  }

  private func control(
    _ side: Scenario.Side, _ step: Scenario.ProcessStep, _ limit: Duration
  ) throws(ScenarioStop) {
    // Of the apps that built-in scenarios start, only `consumer` ends with the broadcast.
    if side == .app, subject.app == nil || step == .wait && leavesOutAppOutput { return }
    guard let process = processes[side] else {
      throw .failed("The scenario has not launched the \(side.rawValue) that it is to \(step.rawValue).")
    }
    if side == .app, step != .continue { appEnd = clock.now }
    switch step {
    case .wait: try awaitEnd(side, within: limit)
    case .end:
      if side == .extension { try confirmLeak(in: process) }
      process.send(SIGCONT)
      // iOS ends an app without a question; `consumer` writes its summary first.
      process.send(side == .app && subject.app?.isArticles == false ? SIGKILL : SIGTERM)
      try awaitEnd(side, within: limit)
      if scenario.isBuiltIn { try side == .app ? checkFrames() : checkReason(of: process) }
    case .kill:
      process.send(SIGKILL)
      try awaitEnd(side, within: limit)
    case .suspend: process.send(SIGSTOP)
    case .continue: process.send(SIGCONT)
    }
  }

  // MARK: Waiting

  private func waitUntil(_ time: MonotonicTime) throws(ScenarioStop) {
    while clock.now < time { try pause(atMost: time) }
  }

  func wait(
    within limit: Duration, _ condition: () -> Bool
  ) throws(ScenarioStop) -> Bool {
    let deadline = clock.now + limit
    while !condition() {
      guard clock.now < deadline else { return false }
      try pause()
    }
    return true
  }

  /// Waits until a process has ended and its output is complete. The system's own work at the end has no part in `limit`,
  /// and neither have processes that it started and that outlive it, nor up to a minute of its encoders' work once the end
  /// was asked for. A handler that is known to be blocked gets all of `limit` only if a scenario of a team states it.
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
    return try wait(within: ChildProcess.patience) { process.hasEnded }
  }

  func pause(atMost deadline: MonotonicTime? = nil) throws(ScenarioStop) {
    if interruption.hasArrived {
      throw .failure(ProgramFailure(.nothingCame, "Interrupted before the end; the check proves nothing."))
    }
    try suspendAppIfDue()
    if clock.now >= nextLook { lookAtPictures() }
    let next = clock.now + .milliseconds(5)
    clock.wait(until: min(next, deadline ?? next))
  }

  /// Reads the pictures that are new. Each takes milliseconds.
  private func lookAtPictures() {
    nextLook = clock.now + .milliseconds(200)
    pictures?.look(at: clock.now)
    pictureFiles?.look()
  }

  private func report(_ hang: CallEvent) throws(ScenarioStop) {
    self.hang = hang
    try report(.hang, "the handler's \(hang.text)", isProven: true)
  }

  /// Fails the scenario by an issue, unless it expects that.
  func report(_ issue: Scenario.Issue, _ what: String, isProven: Bool = false) throws(ScenarioStop) {
    guard !scenario.expectedIssues.contains(issue) else { return }
    hasEndedByItself = issue == .crash || issue == .error || isProven
    throw .failed(what.prefix(1).uppercased() + what.dropFirst() + (what.hasSuffix(".") ? "" : "."))
  }
}
