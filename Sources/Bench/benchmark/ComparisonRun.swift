import CommandLineSupport
import Foundation
import LaunchedPrograms
import Synchronization

/// Runs this program and that of another revision in turn, one round each.
struct ComparisonRun {
  let options: BenchmarkOptions
  let other: URL
  let console: Console
  let interruption: Interruption
  /// For what the programs print on standard error.
  let folder: TemporaryFolder

  func run() throws(ProgramFailure) -> Comparison {
    guard FileManager.default.isExecutableFile(atPath: other.path) else {
      throw ProgramFailure(.inputOutput, "\(other.path) is no program that can be run.")
    }
    var (here, there): ([Comparison.Round], [Comparison.Round]) = ([], [])
    for round in 1...options.rounds {
      let place = "round \(round) of \(options.rounds)"
      // The order alternates, so that a machine that becomes slower or faster does not favour one.
      if round.isMultiple(of: 2) {
        there.append(try report(of: other, place))
        here.append(try report(of: ChildProcess.ownProgram, place))
      } else {
        here.append(try report(of: ChildProcess.ownProgram, place))
        there.append(try report(of: other, place))
      }
    }
    return Comparison(machine: Machine.text(), against: other.path, here: here, there: there)
  }

  /// The arguments of both programs: one round of the same rows.
  private var arguments: [String] {
    let groups = options.groups.map(\.rawValue).joined(separator: ",")
    return ["--json", "-", "--rounds", "1", "--size", "\(options.size)", "--only", groups]
      + (options.isQuick ? ["--quick"] : []) + (options.folder.map { ["--folder", $0] } ?? [])
  }

  private var errorFile: String { "\(folder.path)/errors" }

  private func report(of program: URL, _ place: String) throws(ProgramFailure) -> Comparison.Round {
    console.live("\(place), \(program.path)")
    if !console.showsLive { console.say("\(place), \(program.path)") }
    let output = Mutex(Data())
    let process = try ChildProcess(program, arguments, errors: errorFile) { data in
      output.withLock { $0 += data }
    }
    var ending = process.end(within: .milliseconds(200))
    while ending == nil {
      if interruption.hasArrived {
        // The program removes its files.
        process.send(SIGTERM)
        _ = process.end()
        throw ProgramFailure(.nothingCame, "Interrupted before the end; nothing was compared.")
      }
      ending = process.end(within: .milliseconds(200))
    }
    guard ending == .exit(0) else {
      let errors = String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self)
      let reason = errors.isEmpty ? "." : ": \(errors)"
      throw ProgramFailure(.internalError, "\(program.path) \(ending.text) in \(place)\(reason)")
    }
    do { return try JSONDecoder().decode(Comparison.Round.self, from: output.withLock { $0 }) } catch {
      throw ProgramFailure(
        .internalError,
        "\(program.path) printed no report of a benchmark. --against needs the benchmark of another revision."
      )
    }
  }
}
