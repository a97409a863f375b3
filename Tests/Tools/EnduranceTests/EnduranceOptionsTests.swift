import CommandLineSupport
import Testing

@testable import endurance

@Suite struct EnduranceOptionsTests {
  private func options(_ line: String) throws -> EnduranceOptions {
    guard
      case .run(let options) = try EnduranceOptions.program.request(
        line.split(separator: " ").map(String.init))
    else { throw UsageError("a text to show") }
    return options
  }

  @Test func theDefaultIsASoakOfTwoMinutes() throws {
    #expect(try options("").subcommand == .soak(.seconds(120)))
  }

  @Test(arguments: ["--soak 2.5", "soak --minutes 2.5", "soak --soak 2.5", "--minutes=2.5"])
  func soakTakesMinutesInEitherSpelling(line: String) throws {
    #expect(try options(line).subcommand == .soak(.seconds(150)))
  }

  @Test func aStreamLastsTenMinutesByDefault() throws {
    #expect(try options("stream").subcommand == .stream(.seconds(600), PixelSize(width: 1170, height: 2532)))
    #expect(
      try options("stream --minutes 1 --size 320x240").subcommand
        == .stream(.seconds(60), PixelSize(width: 320, height: 240)))
  }

  @Test func smallFramesAreLimitedByCountAndLargeOnesByTime() throws {
    #expect(
      try options("torn").subcommand
        == .torn(EnduranceOptions.TornGoals(size: nil, checks: 10_000_000, time: nil, readers: 2)))
    let size = PixelSize(width: 1170, height: 2532)
    #expect(
      try options("torn --size 1170x2532").subcommand
        == .torn(EnduranceOptions.TornGoals(size: size, checks: nil, time: .seconds(60), readers: 2)))
    #expect(
      try options("torn --size 1170x2532 --checks 5 --readers 3").subcommand
        == .torn(EnduranceOptions.TornGoals(size: size, checks: 5, time: nil, readers: 3)))
    #expect(
      try options("torn --seconds 3").subcommand
        == .torn(EnduranceOptions.TornGoals(size: nil, checks: nil, time: .seconds(3), readers: 2)))
  }

  @Test func theSeedIsRandomUnlessGiven() throws {
    let options = try options("kill --rounds 7 --seed 18446744073709551615 --quiet")
    #expect(options.subcommand == .kill(rounds: 7))
    #expect(options.seed == .max)
    #expect(options.common.quiet && !options.common.json && options.container == nil)
    #expect(try self.options("kill").subcommand == .kill(rounds: 1000))
  }

  @Test(arguments: [
    ("--soak 1 --minutes 1", "leave one out"), ("--soak 0", "minutes from"),
    ("torn --soak 1", "--soak goes with"),
    ("kill --checks 3", "--checks goes with"), ("torn --seed x", "whole number"), ("explode", "use 'soak'"),
    ("worker", "use 'soak'"),
  ])
  func aWrongCommandLineIsRefused(line: String, words: String) {
    let error = #expect(throws: UsageError.self) {
      try EnduranceOptions.program.request(line.split(separator: " ").map(String.init))
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func theHelpNamesEveryOptionAndHidesTheWorkers() {
    let help = EnduranceOptions.program.helpText
    for option in EnduranceOptions.program.options { #expect(help.contains(option.usage)) }
    #expect(!help.contains(Workers.subcommand + " "))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
