import CommandLineSupport
import Foundation
import LaunchedPrograms

/// The program as a person launches it.
@MainActor
enum EnduranceProgram {
  static func run(_ arguments: [String]) -> Never {
    let program = EnduranceOptions.program
    program.run(arguments) { options throws(ProgramFailure) in
      let interruption = Interruption()
      let signals = interruption.handleSignals()
      let context = try RunContext(options, interruption: interruption)
      Task {
        let failure = await failure(of: context)
        extendLifetime(signals)
        program.exit(failure)
      }
    }
    while true { RunLoop.main.run() }
  }

  /// Runs what the options ask for, and removes the folder of the run; `nil` for a run that passed.
  private static func failure(of context: RunContext) async -> ProgramFailure? {
    var failure: ProgramFailure?
    do {
      switch context.options.subcommand {
      case .stream: try await StreamRun(context).run()
      case .torn: try TornRun(context).run()
      case .kill: try KillRun(context).run()
      }
    } catch {
      failure = context.failure(error)
    }
    do throws(ProgramFailure) { try context.folder.remove() } catch { failure = failure ?? error }
    return failure
  }
}
