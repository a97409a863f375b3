import CommandLineSupport
import Platform

// The causes of the app's side: torn frames, an app that is suspended, blocked, or starved of CPU.
extension CauseFinder {
  mutating func judge(_ second: AppFact, until time: MonotonicTime) {
    let from = time.earlier(by: second.seconds)
    // The time in which the app did not run already has that cause.
    let hasCause = found.contains { cause in
      [.appSuspended, .starved, .appBlocked].contains(cause.kind) && stretches[cause.kind] == nil
        && cause.to.map { from <= $0 && cause.from <= time } == true
    }
    note(.torn, "", second.framesTorn, from: from, to: time) {
      "\($0) torn: they have bytes of more than one frame."
    }
    guard second.isShort, !hasCause else {
      end(.appBlocked)
      end(.starved)
      return
    }
    // The wait of the timer's thread is not counted.
    let isStarved = second.machineMs > 100 * second.seconds
    let kind = isStarved ? Cause.Kind.starved : .appBlocked
    end(isStarved ? .appBlocked : .starved)
    let missing = UInt64(max(0, (second.possible - second.framesPerSecond) * second.seconds))
    let stretch = extend(kind, from: from, by: missing, worst: second.framesPerSecond)
    let rate =
      "The app received \(second.framesPerSecond.text(decimals: 1)) of \(second.possible.text(decimals: 1)) frames a second"
    add(
      Cause(
        kind, from: stretch.from, to: time,
        isStarved
          ? "\(rate): its main thread waited \((second.machineMs / second.seconds / 10).text(decimals: 0)) % of the time for a CPU."
          : "\(rate): its main thread was blocked."), lasts: true)
  }

  mutating func judge(_ stop: AppStopFact, until time: MonotonicTime) {
    let seconds = stop.seconds.text(decimals: 1)
    let from = time.earlier(by: stop.seconds)
    let skipped = "and skipped the frames of that time"
    add(
      stop.wasStopped
        ? Cause(.appSuspended, from: from, to: time, "The app was suspended for \(seconds) s \(skipped).")
        : stop.machineMs > 500 * stop.seconds
          ? Cause(
            .starved, from: from, to: time, "The app was starved of CPU for \(seconds) s \(skipped).")
          : Cause(
            .appBlocked, from: from, to: time,
            "The app's main thread was blocked for \(seconds) s \(skipped)."))
  }
}
