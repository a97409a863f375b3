import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform

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
    let folder = TemporaryFolder(of: "benchmark", in: options.folder)
    let interruption = Interruption()
    // Before the folder exists, so that a signal never leaves it behind.
    let signals = options.against == nil ? Self.end(removing: folder) : interruption.handleSignals()
    try folder.create()
    let result = Result { () throws(ProgramFailure) in
      if let other = options.against {
        try compare(with: URL(filePath: other), interruption, folder)
      } else {
        try measure(in: folder.path)
      }
    }
    let removal = Result { () throws(ProgramFailure) in try folder.remove() }
    try result.get()
    try removal.get()
    withExtendedLifetime(signals) {}
  }

  /// Handles the signals: a loop that is measured looks at nothing else.
  private static func end(removing folder: TemporaryFolder) -> SignalSources {
    let signals = SignalSources(queue: .global())
    for number in SignalSources.requestsToEnd {
      signals.handle(number) {
        do { try folder.remove() } catch { exit(ExitCode.inputOutput.rawValue) }
        exit(128 + number)
      }
    }
    return signals
  }

  private func compare(
    with other: URL, _ interruption: Interruption, _ folder: TemporaryFolder
  ) throws(ProgramFailure) {
    let comparison = try ComparisonRun(
      options: options, other: other, console: console, interruption: interruption, folder: folder
    ).run()
    try show(json: comparison.json, comparison.text)
  }

  private func measure(in folder: String) throws(ProgramFailure) {
    let cores = System.allowedProcessors
    if cores.count > 1 {
      do { try System.restrictThread(toProcessors: [cores[0]]) } catch {
        console.report(
          "benchmark: This process cannot be restricted to one core; the figures vary more (\(error)).")
      }
    }
    let start = ContinuousClock.now
    let rows: [Measured]
    do {
      rows = try measure(Context(size: options.size, pace: options.pace, folder: folder, cores: cores))
    } catch {
      throw ProgramFailure(.internalError, "\(error)")
    }
    console.say(
      "Measured for \((ContinuousClock.now - start).formatted(.units(allowed: [.minutes, .seconds]))).")
    let report = Report(
      machine: Machine.text(), rounds: options.rounds, countsForBars: !Machine.isDebug && !options.isQuick,
      size: options.size, rows: rows)
    try show(json: report.json, report.text)
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
