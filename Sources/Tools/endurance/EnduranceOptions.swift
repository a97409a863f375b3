import CommandLineSupport
import Foundation

/// What the command line of `endurance` asks for.
struct EnduranceOptions: Equatable {
  /// What to prove.
  var verb: EnduranceVerb
  /// What the random choices of the run follow from.
  var seed: UInt64
  /// The folder in which the run makes a folder of its own; `nil` for a memory file system.
  var container: String?
  /// Whether standard output carries JSON lines.
  var json: Bool
  /// Whether only errors and JSON lines are printed.
  var quiet: Bool

  /// What a command line, without the program's name, asks for.
  static func parse(_ arguments: [String]) throws(UsageError) -> Request<EnduranceOptions> {
    try program.request(arguments, makeOptions: EnduranceOptions.init)
  }

  init(_ invocation: Invocation) throws(UsageError) {
    switch invocation.verb {
    case "torn": verb = .torn(try Self.tornGoals(invocation))
    case "stream":
      verb = .stream(
        try invocation.value(of: Self.minutes) ?? .seconds(600),
        try invocation.value(of: Self.size) ?? Size(width: 1170, height: 2532))
    case "kill": verb = .kill(rounds: try invocation.value(of: Self.rounds) ?? 1000)
    default: verb = .soak(try Self.soakTime(invocation))
    }
    seed = try invocation.value(of: Self.seed) ?? UInt64.random(in: 1...UInt64(UInt32.max))
    container = try invocation.value(of: Self.container)
    json = invocation.has(CommonOptions.json)
    quiet = invocation.has(CommonOptions.quiet)
  }

  private static func tornGoals(_ invocation: Invocation) throws(UsageError) -> TornGoals {
    let size = try invocation.value(of: size)
    let checks = try invocation.value(of: checks)
    let seconds = try invocation.value(of: seconds)
    let hasGoal = checks != nil || seconds != nil
    return TornGoals(
      size: size,
      checks: hasGoal ? checks : size == nil ? 10_000_000 : nil,
      time: hasGoal ? seconds : size == nil ? nil : .seconds(60),
      readers: try invocation.value(of: readers) ?? 2)
  }

  private static func soakTime(_ invocation: Invocation) throws(UsageError) -> Duration {
    let (first, second) = (try invocation.value(of: soak), try invocation.value(of: minutes))
    guard first == nil || second == nil else {
      throw UsageError("--soak and --minutes both say how long; leave one out.")
    }
    return first ?? second ?? .seconds(120)
  }
}
