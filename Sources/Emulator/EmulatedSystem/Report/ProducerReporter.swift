import CommandLineSupport
import Foundation
import Platform
import SharedMemory

/// Says what a broadcast does: to a person on a console, to machines as JSON lines.
@MainActor
public final class ProducerReporter {
  private let program: String
  private let console: Console
  private let lines: JSONLines?
  private let start: @MainActor () -> StartedEvent
  private let arithmetic: RawVideoArithmetic
  private let reportsMemory: Bool
  private let memory: ExtensionMemory
  private let budget: UInt64
  private var peak: MemoryUse?
  private var memoryFailure: StorageError?
  private var hasStarted = false

  /// A reporter to a console, and to `lines` if machines listen.
  ///
  /// - Parameters:
  ///   - program: the name to report with.
  ///   - start: what is told when the broadcast begins; asked for then.
  ///   - reportsMemory: whether the memory is told at the end.
  ///   - memory: the memory that the live line shows, and the report tells.
  ///   - budget: what it is shown against, in bytes.
  public init(
    program: String = "producer", console: Console, lines: JSONLines?, arithmetic: RawVideoArithmetic,
    reportsMemory: Bool, memory: ExtensionMemory = ExtensionMemory(), budget: UInt64 = MemoryUse.budget,
    start: @escaping @MainActor () -> StartedEvent
  ) {
    self.program = program
    self.console = console
    self.lines = lines
    self.arithmetic = arithmetic
    self.reportsMemory = reportsMemory
    self.memory = memory
    self.budget = budget
    self.start = start
  }

  /// Says what happened.
  public func report(_ event: BroadcastSystem.Event) {
    switch event {
    case .started:
      hasStarted = true
      let event = start()
      console.say("Broadcasting " + arithmetic.lines.joined(separator: "\n  "))
      console.say("  process \(event.pid), container \(event.container)")
      console.say("Stop it with Ctrl-C, or from the app's side with: consumer stop")
      write(event)
      if reportsMemory { sampleMemory() }
    case .paused:
      console.say("Paused.")
      write(PausedEvent())
    case .resumed:
      console.say("Resumed.")
      write(ResumedEvent())
    case .happened(let event):
      console.say("\(event.text): done.")
      write(DeviceEventEvent(what: event.text))
    case .refused(let event, let reason):
      console.report("\(program): \(event.text): \(reason)")
      write(DeviceEventEvent(what: event.text, refusal: reason))
    case .misuse(let misuse):
      console.report("\(program): \(misuse.description)")
      write(MisuseEvent(kind: misuse.rawValue, description: misuse.description))
    case .finished(let report):
      // Of a start that was refused there is nothing to say but the error, which the program reports.
      if hasStarted {
        say(report)
        sayMemory()
      }
      write(FinishedEvent(report))
    }
  }

  /// Draws the live line anew, and looks at the memory: once a second or so.
  public func tell(_ progress: BroadcastReport.Progress) {
    guard reportsMemory || console.showsLive else { return }
    let footprint = sampleMemory().map { "\(Self.mebibytes($0.footprint))/\(budgetText) MiB  " }
    console.live(
      "\(progress.seconds.text(decimals: 0)) s  \(progress.framesProduced) frames  "
        + "\(progress.framesPerSecond.text(decimals: 1)) fps  \(footprint ?? "")"
        + "\(progress.framesDropped) drop  \(progress.lateTicks) late")
  }

  private func say(_ report: BroadcastReport) {
    console.say("\(report.ending.sentence)")
    let progress = report.progress
    console.say(
      "\(progress.framesProduced) frames in \(progress.seconds.text(decimals: 1)) s = "
        + "\(progress.framesPerSecond.text(decimals: 2)) fps, \(progress.framesDropped) dropped, "
        + "\(progress.lateTicks) late ticks")
    for misuse in HandlerMisuse.allCases {
      if let count = report.misuses[misuse] { console.say("\(count) times: \(misuse.description)") }
    }
  }

  /// What is used now. Keeps the most of each; the frames are unmapped by the time the broadcast is over.
  @discardableResult
  private func sampleMemory() -> MemoryUse? {
    do throws(StorageError) {
      let now = try memory.use()
      peak = MemoryUse(
        footprint: max(now.footprint, peak?.footprint ?? 0),
        mappedFiles: max(now.mappedFiles, peak?.mappedFiles ?? 0))
      return now
    } catch {
      memoryFailure = error
      return nil
    }
  }

  private var budgetText: String {
    budget % (1 << 20) == 0 ? "\(budget >> 20)" : Self.mebibytes(budget)
  }

  private static func mebibytes(_ bytes: UInt64) -> String { (Double(bytes) / 1_048_576).text(decimals: 1) }

  private func sayMemory() {
    guard reportsMemory else { return }
    guard let now = sampleMemory(), let peak else {
      let reason = memoryFailure.map { ": \($0)" } ?? ""
      return console.report("\(program): This system does not tell the memory of a process\(reason).")
    }
    console.say("Memory at its peak: \(peak.text(of: budget))")
    write(
      MemoryEvent(
        footprintBytes: now.footprint, peakFootprintBytes: max(peak.footprint, now.footprint),
        budgetBytes: budget, mappedFileBytes: peak.mappedFiles))
  }

  private func write(_ event: some JSONEvent) {
    do throws(ProgramFailure) { try lines?.write(event) } catch {
      console.report(error.report(from: program))
    }
  }
}
