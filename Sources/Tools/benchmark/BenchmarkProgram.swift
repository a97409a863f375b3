import CBenchmark
import CommandLineSupport
import Foundation
import WorkerSupport

/// The program: measures what the options name, and prints the report.
struct BenchmarkProgram {
  private let options: BenchmarkOptions
  private let console = Console(messages: .error, errors: .error)

  /// Runs the command line, and exits.
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
    let folder = WorkFolder(of: "benchmark", in: options.folder)
    // Before the folder exists, so that a signal never leaves it behind.
    let signals = SignalSources(queue: .global())
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { Self.leave(folder, number) }
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
    do { try show(report) } catch {
      throw ProgramFailure(.inputOutput, "\(error.localizedDescription)")
    }
    withExtendedLifetime(signals) {}
  }

  private func measure(in folder: String) throws -> Report {
    let cores = CorePair.available()
    if let cores, !benchmark_pin(Int32(cores.first)) {
      console.report("benchmark: This process cannot be bound to one core; the figures vary more.")
    }
    var lastRound = ""
    let runner = Runner(
      groups: options.groups, rounds: options.rounds, pace: options.pace, folder: folder, cores: cores
    ) { round, what in
      if console.showsLive {
        console.live("\(round), \(what)")
      } else if round != lastRound {
        console.say(round)
      }
      lastRound = round
    }
    let (start, load) = (ContinuousClock.now, MachineLoad.current())
    let sizes = try options.sizes.map { (size: $0, rows: try runner.run($0)) }
    console.say(
      "Measured for \((ContinuousClock.now - start).formatted(.units(allowed: [.minutes, .seconds]))).")
    return Report(
      machine: .current(), rounds: options.rounds, isQuick: options.isQuick,
      takenByOthers: MachineLoad.current().takenByOthers(since: load), sizes: sizes)
  }

  private func show(_ report: Report) throws {
    if let path = options.json {
      let data = try report.json()
      if path == "-" {
        StandardStream.output.write(data)
        return
      }
      try data.write(to: URL(filePath: path))
    }
    StandardStream.output.write((options.markdown ? report.markdown : report.text) + "\n")
  }

  private static func leave(_ folder: WorkFolder, _ signal: Int32) {
    let status = 128 + signal
    do { try folder.remove() } catch { exit(ExitCode.inputOutput.rawValue) }
    exit(status)
  }
}
