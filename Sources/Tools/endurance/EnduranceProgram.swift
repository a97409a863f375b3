import CommandLineSupport
import WorkerSupport

/// The program as a person launches it.
enum EnduranceProgram {
  static func run(_ arguments: [String]) {
    let program = EnduranceOptions.program
    program.run(arguments) { options throws(ProgramFailure) in
      let interruption = Interruption()
      let signals = interruption.handleSignals()
      defer { extendLifetime(signals) }
      let context = try RunContext(options, interruption: interruption)
      var failure: ProgramFailure?
      do {
        switch options.subcommand {
        case .soak: try SoakRun(context).run()
        case .stream: try StreamRun(context).run()
        case .torn: try TornRun(context).run()
        case .kill: try KillRun(context).run()
        }
      } catch {
        failure = context.failure(error)
      }
      try context.folder.remove()
      if let failure { throw failure }
    }
    program.exit(nil)
  }
}
