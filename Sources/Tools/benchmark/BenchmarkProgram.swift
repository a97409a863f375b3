import CBenchmark
import CommandLineSupport
import Foundation

/// The program: puts together what the options ask for, and prints what was found.
struct BenchmarkProgram {
  private let options: BenchmarkOptions
  private let console = Console(messages: .error, errors: .error)

  /// Does what the command line asks, and ends the process.
  static func main(_ arguments: [String]) -> Never {
    BenchmarkOptions.program.run(arguments) { options throws(ProgramFailure) in
      try BenchmarkProgram(options: options).run()
    }
    BenchmarkOptions.program.exit(nil)
  }

  private func run() throws(ProgramFailure) {
    if Machine.isDebug {
      console.report("benchmark: This is a debug build; figures mean nothing without -c release.")
    }
    let folder = WorkFolder(in: options.folder)
    // Before there is anything that could be left behind.
    let signals = SignalSources(queue: .global())
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { Self.leave(folder, number) }
    }
    do { try folder.make() } catch {
      throw ProgramFailure(
        .cannotCreate, "The folder for the shared files cannot be made: \(error.localizedDescription)")
    }
    let report: Report
    do { report = try measure(in: folder.path) } catch {
      do { try folder.remove() } catch {
        console.report("benchmark: \(folder.path) is left behind: \(error)")
      }
      throw ProgramFailure(.internalError, "\(error)")
    }
    do {
      try folder.remove()
      try show(report)
    } catch {
      throw ProgramFailure(.inputOutput, "\(error.localizedDescription)")
    }
    withExtendedLifetime(signals) {}
  }

  private func measure(in folder: String) throws -> Report {
    let cores = CorePair.available()
    if let cores, !benchmark_pin(Int32(cores.first)) {
      console.report("benchmark: This process cannot be kept on one core; figures will vary more.")
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
