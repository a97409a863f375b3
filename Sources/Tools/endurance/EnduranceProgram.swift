import CommandLineSupport

/// The program a person starts: runs what the options ask for, and ends with an exit code.
enum EnduranceProgram {
  /// Runs, and ends the process.
  static func run(_ arguments: [String]) {
    let program = EnduranceOptions.program
    program.run(arguments) { options throws(ProgramFailure) in
      let interruption = Interruption()
      let signals = interruption.listen()
      defer { extendLifetime(signals) }
      let stage = try Stage(options, interruption: interruption)
      stage.say("\(program.name): seed \(options.seed), folder \(stage.folder.path)")
      var failure: ProgramFailure?
      do throws(ProgramFailure) {
        switch options.subcommand {
        case .soak(let time):
          var run = try SoakRun(stage: stage, time: time)
          try run.run()
        case .stream(let time, let size):
          var run = try StreamRun(stage: stage, time: time, size: size)
          try run.run()
        case .torn(let goals):
          var run = try TornRun(stage: stage, goals: goals)
          try run.run()
        case .kill(let rounds):
          var run = try KillRun(stage: stage, rounds: rounds)
          try run.run()
        }
      } catch {
        failure = error
      }
      try stage.folder.remove()
      if let failure { throw failure }
    }
    program.exit(nil)
  }
}
