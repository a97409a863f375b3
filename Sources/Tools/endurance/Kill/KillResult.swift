import CommandLineSupport

/// The result of `kill`.
struct KillResult: JSONEvent {
  static let event = "kill"
  var seed: UInt64
  var seconds = 0.0
  var rounds = 0, kills = 0, crashesTold = 0, takeovers = 0
  var extensionsKilled = 0, appsKilled = 0, leasersKilled = 0, keyWritersKilled = 0
  var insidePublish = 0, insideRingMaking = 0, insideKeyWrite = 0, insideLease = 0

  /// The number of rounds after which a kill must have hit each kind of moment.
  static let roundsThatHitAll = 1000

  mutating func countKill(of role: KillWorker.Role) {
    kills += 1
    switch role {
    case .handler: extensionsKilled += 1
    case .watcher: appsKilled += 1
    case .leaser: leasersKilled += 1
    case .keys: keyWritersKilled += 1
    }
  }

  mutating func count(_ moment: Moment) {
    switch moment {
    case .publish: insidePublish += 1
    case .ringCreation: insideRingMaking += 1
    case .keyWrite: insideKeyWrite += 1
    case .lease: insideLease += 1
    }
  }

  private var moments: KeyValuePairs<String, Int> {
    [
      "inside a publish": insidePublish, "inside the creation of a ring": insideRingMaking,
      "inside a write of keys": insideKeyWrite, "inside a lease": insideLease,
    ]
  }

  /// The moments that no kill hit in a run that was long enough.
  var missedMoments: [String] {
    guard rounds >= Self.roundsThatHitAll else { return [] }
    return moments.filter { $1 == 0 }.map {
      "no kill hit a moment \($0.key): the run proves nothing about it"
    }
  }

  var progress: String {
    "\(kills) kills, \(moments.map { "\($1) \($0)" }.joined(separator: ", ")); "
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
