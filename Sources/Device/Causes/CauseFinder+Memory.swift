import CommandLineSupport
import Platform

// The sentence of memory that grows.
extension CauseFinder {
  mutating func judgeMemory(_ second: SecondEvent, at time: MonotonicTime) {
    guard let bytes = second.footprintBytes else { return }
    growth.add(bytes, at: time)
    guard let leak = growth.leak else { return }
    let limit = second.limitBytes.flatMap { limit -> String? in
      guard limit > bytes, leak.bytesPerSecond > 0 else { return nil }
      let rest = Double(limit - bytes) / leak.bytesPerSecond
      return "; \(Double(limit).mebibytesText) will be reached in \(rest.text(decimals: 0)) s"
    }
    add(
      Cause(
        .leak, from: leak.from, to: time,
        "The extension's memory grew from \(Double(leak.first).mebibytesText) to \(Double(bytes).mebibytesText), "
          + "\(leak.bytesPerSecond.mebibytesText) a second\(limit ?? "")."))
  }
}
