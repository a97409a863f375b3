import CommandLineSupport
import Foundation
import Platform
import Programs

/// The program: measures what the options name, and prints the report.
struct BenchmarkProgram {
  private let options: BenchmarkOptions
  private let console = Console(messages: .error, errors: .error)

  static func main(_ arguments: [String]) -> Never {
    BenchmarkOptions.program.run(arguments) { options throws(ProgramFailure) in
      try BenchmarkProgram(options: options).run()
    }
    BenchmarkOptions.program.exit(nil)
  }

  private func run() throws(ProgramFailure) {
    if Machine.isDebug {
      console.report("benchmark: This is a debug build; its figures are not meaningful; use -c release.")
    }
    if let other = options.against { return try compare(with: other) }
    let folder = WorkFolder(of: "benchmark", in: options.folder)
    // Before the folder exists, so that a signal never leaves it behind.
    let signals = SignalSources(queue: .global())
    for number in SignalSources.requestsToEnd {
      signals.handle(number) {
        do { try folder.remove() } catch { exit(ExitCode.inputOutput.rawValue) }
        exit(128 + number)
      }
    }
    try folder.create()
    let report: Report
    do { report = try measure(in: folder.path) } catch {
      do { try folder.remove() } catch {
        console.report("benchmark: \(folder.path) is left behind: \(error)")
      }
      throw ProgramFailure(.internalError, "\(error)")
    }
    try folder.remove()
    try show(json: report.json, report.text)
    withExtendedLifetime(signals) {}
  }

  private func compare(with other: String) throws(ProgramFailure) {
    let interruption = Interruption()
    let signals = interruption.handleSignals()
    let folder = WorkFolder(of: "benchmark", in: options.folder)
    try folder.create()
    let run = ComparisonRun(
      options: options, other: URL(filePath: other), console: console, interruption: interruption,
      folder: folder)
    let result = Result { () throws(ProgramFailure) in try run.run() }
    try folder.remove()
    let comparison = try result.get()
    try show(json: comparison.json, comparison.text)
    withExtendedLifetime(signals) {}
  }

  private func measure(in folder: String) throws -> Report {
    let cores = System.allowedProcessors
    if cores.count > 1 {
      do { try System.restrictThread(toProcessors: [cores[0]]) } catch {
        console.report(
          "benchmark: This process cannot be restricted to one core; the figures vary more (\(error)).")
      }
    }
    let (start, load) = (ContinuousClock.now, MachineLoad.current())
    let context = try Context(size: options.size, pace: options.pace, folder: folder, cores: cores)
    let rows = try measure(context)
    console.say(
      "Measured for \((ContinuousClock.now - start).formatted(.units(allowed: [.minutes, .seconds]))).")
    return Report(
      machine: .current(), rounds: options.rounds, isQuick: options.isQuick,
      disturbance: MachineLoad.current().disturbance(since: load), size: options.size, rows: rows)
  }

  /// Runs the measurements of a size in rounds, each once per round.
  private func measure(_ context: Context) throws -> [Measured] {
    let all = try options.groups.flatMap { group in
      try group.measurements(context).map { (group: group, measurement: $0) }
    }
    var figures = RoundFigures()
    for round in 1...options.rounds {
      let place = "\(context.size), round \(round) of \(options.rounds)"
      if !console.showsLive { console.say(place) }
      for (index, (group, measurement)) in all.enumerated() where measurement.obstacle == nil {
        let title = measurement.rows.first?.title ?? group.rawValue
        console.live("\(place), \(index + 1) of \(all.count), \(title)")
        if let reason = try figures.run(measurement, round: round) {
          console.report("benchmark: \(place): \(title): not measured: \(reason)")
        }
      }
    }
    return figures.measured(all)
  }

  /// Writes a result: as JSON to the path of the options, and as text to standard output unless the JSON goes there.
  private func show(json: () throws -> Data, _ text: String) throws(ProgramFailure) {
    do {
      if let path = options.json {
        let data = try json()
        if path == "-" { return StandardStream.output.write(data) }
        try data.write(to: URL(filePath: path))
      }
    } catch {
      throw ProgramFailure(.inputOutput, "\(error.reasonText).")
    }
    StandardStream.output.write(text + "\n")
  }
}
