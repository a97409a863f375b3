import CommandLineSupport

/// The result of `kill`.
struct KillResult: JSONEvent {
  static let event = "kill"
  var seed: UInt64
  var seconds = 0.0
  var rounds = 0
  var kills = 0
  var extensionsKilled = 0
  var appsKilled = 0
  var leasersKilled = 0
  var keyWritersKilled = 0
  var insidePublish = 0
  var insideRingMaking = 0
  var insideKeyWrite = 0
  var insideLease = 0
  var crashesTold = 0
  var takeovers = 0

  init(seed: UInt64) { self.seed = seed }

  /// The number of rounds after which a kill must have hit each kind of moment.
  static let roundsThatHitAll = 1000

  /// The moments that no kill hit in a run that was long enough.
  var missedMoments: [String] {
    guard rounds >= Self.roundsThatHitAll else { return [] }
    return [
      ("inside a publish", insidePublish), ("inside the creation of a ring", insideRingMaking),
      ("inside a write of keys", insideKeyWrite), ("inside a lease", insideLease),
    ].filter { $1 == 0 }.map { "no kill hit a moment \($0.0): the run proves nothing about it" }
  }

  var progress: String {
    "\(seconds.text(decimals: 0)) s: \(kills) kills, \(insidePublish) inside a publish, \(insideRingMaking) inside "
      + "the creation of a ring, \(insideKeyWrite) inside a write of keys, \(insideLease) inside a lease; "
      + "\(crashesTold) crashes detected at the next poll"
  }

  var text: String {
    """
    rounds             \(rounds), in \(seconds.text(decimals: 1)) s
    kills              \(kills): \(extensionsKilled) of the extension, \(appsKilled) of the app,
                       \(leasersKilled) of the reader with leases, \(keyWritersKilled) of the writer of other keys
    inside a publish   \(insidePublish)
    in ring creation   \(insideRingMaking)
    in a key write     \(insideKeyWrite)
    inside a lease     \(insideLease)
    crashes detected   \(crashesTold), each at the first poll after the kill
    takeovers          \(takeovers); nothing was lost or left behind
    """
  }
}
