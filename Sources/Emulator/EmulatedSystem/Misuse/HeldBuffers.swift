import CommandLineSupport
import Platform

/// The screen's pixel buffers that the handler holds after `processSampleBuffer(_:with:)` has returned.
package struct HeldBuffers: Equatable, Sendable, CustomStringConvertible {
  package var count = 0
  /// The age of the oldest frame in them, from its capture time.
  package var longest = Duration.zero

  func larger(than other: HeldBuffers?) -> HeldBuffers {
    HeldBuffers(count: max(count, other?.count ?? 0), longest: max(longest, other?.longest ?? .zero))
  }

  package var description: String {
    "It held \(count) of \(EmulatedScreen.bufferCount) buffers, one of them for \((longest / .seconds(1)).text(decimals: 2)) s."
  }
}
