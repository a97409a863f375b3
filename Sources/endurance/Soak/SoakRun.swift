import CommandLineSupport
struct SoakRun {
  let stage: Stage
  let time: Duration
  func run() throws(ProgramFailure) {}
}
