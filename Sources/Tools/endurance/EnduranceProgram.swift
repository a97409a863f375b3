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
      context.say("\(program.name): seed \(context.seed), folder \(context.folder.path)")
      var failure: ProgramFailure?
      do { try run(options.subcommand, context) } catch { failure = context.failure(error) }
      try context.folder.remove()
      if let failure { throw failure }
    }
    program.exit(nil)
  }

  private static func run(_ subcommand: EnduranceOptions.Subcommand, _ context: RunContext) throws {
    switch subcommand {
    case .soak(let time): try SoakRun(context, time: time).run()
    case .stream(let time, let size): try StreamRun(context, time: time, size: size).run()
    case .torn(let goals): try TornRun(context, goals: goals).run()
    case .kill(let rounds): try KillRun(context, rounds: rounds).run()
    }
  }
}
