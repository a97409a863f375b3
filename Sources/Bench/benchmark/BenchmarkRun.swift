import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import Synchronization
import ToolSupport

/// Measures the rows that the options select, or compares them with another revision, and prints the result.
struct BenchmarkRun {
  let options: BenchmarkOptions
  let run: ToolRun

  func callAsFunction() throws {
    if Machine.isDebug {
      run.report("This is a debug build; its figures are not meaningful; use -c release.")
    }
    if let other = options.against {
      let comparison = try compare(with: URL(filePath: other))
      try print(comparison, comparison.text)
    } else {
      let report = Report(
        machine: Machine.text(), rounds: options.rounds, rows: try measure(), size: options.size,
        countsForBars: !Machine.isDebug && !options.isQuick)
      try print(report, report.text)
    }
  }

  private func print(_ result: some Encodable, _ text: String) throws {
    guard options.json == true else { return run.finish(text) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    run.finish(String(decoding: try encoder.encode(result), as: UTF8.self))
  }

  /// Runs the measurements in rounds, each once per round.
  private func measure() throws -> [Row] {
    let cores = System.allowedProcessors
    if cores.count > 1 { try System.restrictThread(toProcessors: [cores[0]]) }
    let context = try Context(
      size: options.size, pace: options.pace, folder: run.folder.path, cores: cores)
    let measurements = try options.groups.flatMap { try $0.measurements(context) }
    for round in 1...options.rounds {
      for (index, measurement) in measurements.enumerated() {
        try run.throwIfInterrupted("there is no result")
        let title = measurement.rows[0].title
        run.progress(
          "round \(round) of \(options.rounds), \(index + 1) of \(measurements.count), \(title)")
        if let reason = try measurement.run() {
          run.report("round \(round): \(title): not measured: \(reason)")
        }
      }
    }
    return measurements.flatMap(\.rows)
  }

  /// Runs this program and the program of another revision in turn, one round each.
  private func compare(with other: URL) throws -> Comparison {
    guard FileManager.default.isExecutableFile(atPath: other.path) else {
      throw ProgramFailure(.inputOutput, "\(other.path) is not an executable program; correct --against.")
    }
    let programs = [ChildProcess.ownProgram, other]
    var reports: [[Report]] = [[], []]
    for round in 1...options.rounds {
      // Alternate the order, so that a host that becomes slower or faster does not favour one program.
      for index in round.isMultiple(of: 2) ? [1, 0] : [0, 1] {
        reports[index].append(try report(of: programs[index], "round \(round) of \(options.rounds)"))
      }
    }
    return Comparison(against: other.path, here: reports[0], there: reports[1])
  }

  /// Runs one round of a program.
  private func report(of program: URL, _ place: String) throws -> Report {
    let groups = options.groups.map(\.rawValue).joined(separator: ",")
    let output = Mutex(Data())
    let errors = run.folder("errors")
    let process = try ChildProcess(
      program,
      ["--json", "-", "--rounds", "1", "--size", "\(options.size)", "--only", groups]
        + (options.isQuick ? ["--quick"] : []), errors: errors
    ) { data in output.withLock { $0 += data } }
    // On SIGTERM the program removes its files.
    defer {
      process.send(SIGTERM)
      _ = process.end()
    }
    var ending = process.end(within: .milliseconds(200))
    while ending == nil {
      run.progress("\(place), \(program.path)")
      try run.throwIfInterrupted("there is no result")
      ending = process.end(within: .milliseconds(200))
    }
    guard ending == .exit(0) else {
      throw CheckFailure(
        "\(program.path) \(ending.text) in \(place): \(try String(contentsOfFile: errors, encoding: .utf8))")
    }
    do { return try JSONDecoder().decode(Report.self, from: output.withLock { $0 }) } catch {
      throw CheckFailure(
        "\(program.path) printed no report of a benchmark. --against needs the benchmark of another revision."
      )
    }
  }
}
