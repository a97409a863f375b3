import CommandLineSupport
import Foundation

/// Says what a broadcast does: to a person on a console, to machines as JSON lines.
@MainActor
public final class ProducerReporter {
  private let program: String
  private let console: Console
  private let lines: JSONLines?
  private let start: @MainActor () -> StartedEvent
  private let arithmetic: RawVideoArithmetic
  private let reportsMemory: Bool
  private var peak: MemoryUse?
  private var hasStarted = false

  /// A reporter to a console, and to `lines` if machines listen.
  ///
  /// - Parameters:
  ///   - program: the name to report with.
  ///   - start: what is told when the broadcast begins; asked for then.
  ///   - reportsMemory: whether the memory is watched and told at the end.
  public init(
    program: String = "producer", console: Console, lines: JSONLines?, arithmetic: RawVideoArithmetic,
    reportsMemory: Bool, start: @escaping @MainActor () -> StartedEvent
  ) {
    self.program = program
    self.console = console
    self.lines = lines
    self.arithmetic = arithmetic
    self.reportsMemory = reportsMemory
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
      sampleMemory()
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
    sampleMemory()
    guard console.showsLive else { return }
    console.live(
      "\(progress.seconds.text(decimals: 0)) s  \(progress.framesProduced) frames  "
        + "\(progress.framesPerSecond.text(decimals: 1)) fps  \(progress.framesDropped) dropped  "
        + "\(progress.lateTicks) late")
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

  /// Keeps the most of each; the frames are unmapped by the time the broadcast is over.
  private func sampleMemory() {
    guard reportsMemory, let now = MemoryUse.current() else { return }
    peak = MemoryUse(
      footprint: max(now.footprint, peak?.footprint ?? 0),
      mappedFiles: max(now.mappedFiles, peak?.mappedFiles ?? 0))
  }

  private func sayMemory() {
    guard reportsMemory else { return }
    guard let peak, let now = MemoryUse.current() else {
      return console.report("\(program): This system does not tell the memory of a process.")
    }
    console.say("Memory at its peak: \(peak)")
    write(
      MemoryEvent(
        footprintBytes: now.footprint, peakFootprintBytes: max(peak.footprint, now.footprint),
        budgetBytes: MemoryUse.budget, mappedFileBytes: peak.mappedFiles))
  }

  private func write(_ event: some JSONEvent) {
    do throws(ProgramFailure) { try lines?.write(event) } catch {
      console.report(error.report(from: program))
    }
  }
}
