import CommandLineSupport
import WorkerSupport

/// The program as a person launches it.
enum EnduranceProgram {
  /// Runs the subcommand, and exits.
  static func run(_ arguments: [String]) {
    let program = EnduranceOptions.program
    program.run(arguments) { options throws(ProgramFailure) in
      let interruption = Interruption()
      let signals = interruption.handleSignals()
      defer { extendLifetime(signals) }
      let context = try RunContext(options, interruption: interruption)
      context.say("\(program.name): seed \(options.seed), folder \(context.folder.path)")
      var failure: ProgramFailure?
      do throws(ProgramFailure) {
        switch options.subcommand {
        case .soak(let time):
          var run = try SoakRun(context, time: time)
          try run.run()
        case .stream(let time, let size):
          var run = try StreamRun(context, time: time, size: size)
          try run.run()
        case .torn(let goals):
          var run = try TornRun(context, goals: goals)
          try run.run()
        case .kill(let rounds):
          var run = try KillRun(context, rounds: rounds)
          try run.run()
        }
      } catch {
        failure = error
      }
      try context.folder.remove()
      if let failure { throw failure }
    }
    program.exit(nil)
  }
}
