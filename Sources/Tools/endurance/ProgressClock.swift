/// When progress was told last.
struct ProgressClock {
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  /// The time since the run began.
  var elapsed: Duration { ContinuousClock.now - start }

  /// Whether it is time again.
  mutating func isDue(every interval: Duration) -> Bool {
    guard ContinuousClock.now - last >= interval else { return false }
    last = ContinuousClock.now
    return true
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
