import CommandLineSupport
import Platform

// The sentences of a screen that does not change.
extension CauseFinder {
  mutating func judgeIdleScreen(_ second: SecondEvent, from: MonotonicTime, to time: MonotonicTime) {
    // The last part of a broadcast is shorter than a second.
    guard second.seconds >= 0.9 else { return }
    // An unchanged screen draws nothing, so a late timer loses no frame then.
    let isLate = Double(second.framesLate) > 0.9 * framesPerSecond * second.seconds
    guard second.framesDelivered == 0, second.framesDropped == second.framesLate, !isLate, !isPaused,
      !second.isPaused
    else { return end(.idleScreen) }
    let isFirst = stretches[.idleScreen] == nil
    var rest = extend(.idleScreen, from: from)
    if !isFirst, let bytes = second.sentBytes { rest.sentBytes = (rest.sentBytes ?? 0) + bytes }
    stretches[.idleScreen] = rest
    let length = (time - rest.from) / .seconds(1)
    let text = "The screen has not changed for \(length.text(decimals: 0)) s"
    var cause = Cause(.idleScreen, from: rest.from, to: time, "The screen does not change.")
    if cause.isLongRest {
      // For the first second it is unknown which bytes were sent after the last frame.
      let rate = rest.sentBytes.map { (Double($0) / 1000 / (length - 1)).text(decimals: 1) }
      if rest.sentBytes == 0 { cause.severity = .warning }
      cause.sentence =
        switch rest.sentBytes {
        case nil:
          "\(text): a handler that sends nothing in that time leaves the remote side without a picture."
        case 0?:
          "\(text), and the handler sends nothing over TCP or a Unix socket: the remote side may be without a picture."
        default: "\(text), and the handler sends \(rate ?? "") kB a second in the meantime."
        }
    }
    add(cause, lasts: true)
  }
}
