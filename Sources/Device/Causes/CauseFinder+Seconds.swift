import CommandLineSupport
import Platform

// Judges each second of a broadcast. The rule of each cause is in the file with the name of the cause.
extension CauseFinder {
  mutating func judge(_ second: SecondEvent, until time: MonotonicTime) {
    guard start != nil, !hasEnded else { return }
    let from = time.earlier(by: second.seconds)
    if !wasSuspended(from: from, to: time) { judgeDrops(second, from: from, to: time) }
    judgeMemory(second, at: time)
    if var cause = loss, time - cause.from >= Self.reconnectLimit {
      (loss, cause.to) = (nil, time)
      add(cause)
    }
    judgeIdleScreen(second, from: from, to: time)
  }

  /// Adds a second to a cause that explains lost frames, or ends it.
  mutating func note(
    _ kind: Cause.Kind, _ detail: String, _ count: UInt64, from: MonotonicTime, to time: MonotonicTime,
    _ text: (String) -> String
  ) {
    guard count > 0 else { return end(kind) }
    let stretch = extend(kind, from: from, by: count)
    add(Cause(kind, detail, from: stretch.from, to: time, text(Self.frames(stretch.frames))), lasts: true)
  }

  static func frames(_ count: UInt64) -> String {
    count == 1 ? "1 frame was" : "\(count) frames were"
  }

  static func sentence(_ text: String) -> String {
    let line = text.onOneLine
    return line.hasSuffix(".") ? line : line + "."
  }
}

extension MonotonicTime {
  func earlier(by seconds: Double) -> MonotonicTime { advanced(by: .seconds(-seconds)) }
}
