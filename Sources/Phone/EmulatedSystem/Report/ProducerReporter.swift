import Causes
import CommandLineSupport
import EmulatedDevice
import Foundation
import PhoneLink
import Platform
import RunReports
import ScreenBroadcast
import SharedMemory
import Synchronization

/// Reports a broadcast to the user on the console, and to programs as JSON lines.
@MainActor
package final class ProducerReporter {
  private let program: String
  private let console: Console
  private let lines: JSONLines?
  private let container: String
  private let session: @MainActor () -> RingSession?
  private let memory: ExtensionMemory?
  private let budget: UInt64
  private let clock: any MonotonicClock
  /// The facts of the broadcast for other processes; `nil` if the container cannot be used.
  private let factsFile: FactsFile?
  private let finder: Mutex<CauseFinder>
  /// The causes found so far.
  package nonisolated var causes: CauseFinder { finder.withLock(\.self) }
  /// The counts of the whole broadcast until the last second.
  private var sampled = SecondEvent()
  private var peak = ReportedMemory(ProcessMemory())
  private var hasStarted = false
  private var isPaused = false
  private let screen: EmulatedScreen
  /// The progress at the last live line. The next live line shows the rate since then.
  private var shown: BroadcastProgress?

  /// - Parameters:
  ///   - memory: the memory that is measured each second; `nil` to omit it, because it differs from run to run.
  ///   - budget: the limit to show next to the memory, in bytes.
  ///   - factsFile: the file for the facts of the broadcast, if it has one.
  ///   - session: returns the session of the handler that has started, if it has sessions.
  package init(
    program: String = "producer", console: Console, lines: JSONLines?, screen: EmulatedScreen,
    container: String, memory: ExtensionMemory? = nil,
    budget: UInt64 = Device.usualMemoryLimit, factsFile: FactsFile? = nil,
    clock: any MonotonicClock = SystemClock(), session: @escaping @MainActor () -> RingSession?
  ) {
    self.program = program
    self.console = console
    self.lines = lines
    self.screen = screen
    self.factsFile = factsFile
    self.clock = clock
    finder = Mutex(CauseFinder(framesPerSecond: screen.framesPerSecond))
    self.container = container
    self.session = session
    self.memory = memory
    self.budget = budget
  }

  /// Records the launch of the extension, before the first call of the handler.
  package func noteLaunch() {
    var fact = LaunchFact(fps: screen.framesPerSecond)
    (fact.width, fact.height) = (screen.content.size.width, screen.content.size.height)
    (fact.device, fact.phone) = (Device.current.profile.name, "\(Device.current.identity)")
    fact.crashDialog = BroadcastDialog(name: program, ios: Device.current.ios).textOfCrash
    (fact.extension, fact.arguments) = (program, CommonOptions.commandLine)
    take(fact)
  }

  package func report(_ event: BroadcastSystem.Event) {
    switch event {
    case .started:
      hasStarted = true
      let event = StartedEvent(screen, session: session(), container: container)
      let rate = Int(exactly: event.fps).map(String.init) ?? "\(event.fps)"
      console.say("Broadcasting \(screen.content.size) at \(rate) fps, \(event.pixelFormat ?? "")")
      console.say("  process \(ProcessInfo.processInfo.processIdentifier), container \(container)")
      console.say("Stop it with Ctrl-C, or from the app's side with: consumer stop")
      note(event)
    case .paused:
      isPaused = true
      console.say("Paused.")
      note(PausedEvent())
    case .resumed:
      isPaused = false
      console.say("Resumed.")
      note(ResumedEvent())
    case .requested(let event): take(request(event))
    case .happened(let event):
      console.say("\(event.text): done.")
      write(RequestEvent(what: event.text))
    case .refused(let event, let reason):
      console.report("\(program): \(event.text): \(reason)")
      take(request(event, refusal: reason))
      write(RequestEvent(what: event.text, refusal: reason))
    case .misuse(let misuse, let held, let name):
      console.report("\(program): \(misuse.text(held, name))")
      note(MisuseEvent(misuse, held: held, name: name))
    case .socket(let event):
      console.say(event.text)
      note(event)
    case .notification(let event):
      console.say(event.text)
      write(event)
    // The watchdog thread has already reported the call, with `report(_: CallEvent)`.
    case .call: break
    case .finished(let ending, let event):
      take(event)
      if let work = causes.causes.first(where: { $0.kind == .workAfterEnd }) {
        console.report("\(program): \(work.text)")
      }
      // If the handler refused to start, the program reports the error, and there is no result.
      if hasStarted {
        sayResult(ending, event)
        reportMemory()
      }
      write(event)
    }
  }

  /// Measures a second, draws the live line, and records the fact. Called about once a second.
  ///
  /// - Returns: the measurements; `nil` before the start.
  package func second(_ progress: BroadcastProgress) -> SecondEvent? {
    let memory = sampleMemory()
    showLive(progress, memory)
    return hasStarted ? noted(progress, memory) : nil
  }

  /// Records the rest of a broadcast that has ended, before its end is reported.
  package func lastSecond(_ progress: BroadcastProgress) {
    if hasStarted { _ = noted(progress, sampleMemory()) }
  }

  private func noted(_ progress: BroadcastProgress, _ memory: MemorySample?) -> SecondEvent {
    var second = progress.total.since(sampled)
    (sampled, second.isPaused) = (progress.total, isPaused)
    if case .success(let now) = memory {
      (second.footprintBytes, second.limitBytes) = (now.footprint, budget)
    }
    note(second)
    return second
  }

  private func request(_ event: DeviceEvent, refusal: String? = nil) -> RequestEvent {
    var request = RequestEvent(what: event.text, refusal: refusal, effect: event.effect)
    (request.name, request.isFromPage) = (event.name, event.isFromPage ? true : nil)
    return request
  }

  private func note(_ body: some FactBody) {
    take(body)
    write(body)
  }

  private func take(_ body: some FactBody, at time: MonotonicTime? = nil) {
    var fact = fact(body)
    if let time { fact.time = time }
    append(fact)
  }

  private nonisolated func append(_ fact: Fact) {
    factsFile?.append(fact)
    _ = finder.withLock { $0.take(fact) }
  }

  private nonisolated func fact(_ body: some FactBody) -> Fact {
    Fact(body, at: clock.now, pid: ProcessInfo.processInfo.processIdentifier)
  }

  /// Records a time in which this process was stopped.
  package func noteStop(of length: Duration, until end: MonotonicTime) {
    guard hasStarted else { return }
    take(StopFact(seconds: length / .seconds(1)), at: end)
  }

  /// Adds the faults of the broadcast's recordings to the causes.
  package func add(_ faults: [RecordingFault]) {
    finder.withLock { for fault in faults { $0.add(fault.cause(at: clock.now)) } }
  }

  /// Reports a call that does not return. Works on any thread, because the call may be waiting for the main thread.
  package nonisolated func report(_ call: CallEvent) {
    if call.isLong { console.report("\(program): \(call.text)") }
    write(call)
    append(fact(call))
  }

  /// Reports the end of a broadcast on any thread, for an end that the main thread cannot report.
  package nonisolated func report(_ end: BroadcastEnd) {
    console.report("\(program): \(end.errorDescription ?? "")")
    if let dialog = end.dialog { console.report("A phone shows: \"\(dialog)\"") }
    write(end)
    append(fact(end))
  }

  private func showLive(_ progress: BroadcastProgress, _ memory: MemorySample?) {
    guard console.showsLive else { return }
    let footprint: LivePart? =
      if case .success(let now) = memory {
        LivePart(
          "  memory \(Double(now.footprint).mebibytes)/\(budget % (1 << 20) == 0 ? "\(budget >> 20)" : Double(budget).mebibytes) MiB",
          isBeyondLimit: now.footprint > budget)
      } else { nil }
    let parts = [
      LivePart("\(progress.total.seconds.clockText) "),
      isPaused ? LivePart("paused", .yellow) : LivePart("live", .green), isPaused ? nil : rate(progress),
      footprint, LivePart("  \(progress.total.framesDropped) dropped  \(progress.lateTicks) late"),
    ]
    console.live(parts.compactMap { $0 })
  }

  /// Returns the frames per second since the last live line, and the rate of the screen.
  private func rate(_ progress: BroadcastProgress) -> LivePart {
    defer { shown = progress }
    func running(_ progress: BroadcastProgress) -> Double {
      progress.total.seconds - progress.paused / .seconds(1)
    }
    let seconds = running(progress) - (shown.map(running) ?? 0)
    let part = progress.total.since(shown?.total ?? SecondEvent())
    func rate(_ frames: UInt64) -> Double { seconds > 0 ? Double(frames) / seconds : 0 }
    let delivered = rate(part.framesDelivered)
    // The limit of the verdict is stricter. Here the frame counts of two seconds can differ by one.
    return LivePart(
      "  \(delivered.text(decimals: 1))/\(screen.framesPerSecond.text(decimals: 0)) fps",
      isBeyondLimit: FrameRateLimit.isShort(
        delivered, of: screen.framesPerSecond, shown: delivered + rate(part.framesDropped)))
  }

  private func sayResult(_ ending: BroadcastEnding, _ end: BroadcastEnd) {
    console.say(ending.sentence)
    if let dialog = end.dialog { console.say("A phone shows: \"\(dialog)\"") }
    console.say(end.figures)
    for cause in causes.causes where !Self.toldBefore.contains(cause.kind) {
      console.say(([cause.text] + cause.evidence).joined(separator: " "))
    }
  }

  private typealias MemorySample = Result<ReportedMemory, FileError>

  /// The kinds of causes that are reported when they happen, or with the end.
  private static let toldBefore: Set<Cause.Kind> = [.misuse, .hung, .ended, .sourceFailed, .workAfterEnd]

  /// Samples the memory and its peak, because the frames are unmapped by the end of the broadcast.
  private func sampleMemory() -> MemorySample? {
    guard let memory else { return nil }
    let sample = Result { () throws(FileError) in try memory.use() }
    if case .success(let now) = sample {
      peak.footprint = max(now.footprint, peak.footprint)
      peak.mappedFiles = max(now.mappedFiles, peak.mappedFiles)
    }
    return sample
  }

  private func reportMemory() {
    switch sampleMemory() {
    case nil: break
    case .success(let now):
      console.say("Memory at its peak: \(peak.text(of: budget))")
      write(
        MemoryEvent(
          footprintBytes: now.footprint, peakFootprintBytes: peak.footprint,
          budgetBytes: budget, mappedFileBytes: peak.mappedFiles))
    case .failure(let error):
      console.report("\(program): This system does not report the memory of a process: \(error).")
    }
  }

  private nonisolated func write(_ event: some JSONEvent) {
    lines?.write(event, reportingTo: console, as: program)
  }
}
