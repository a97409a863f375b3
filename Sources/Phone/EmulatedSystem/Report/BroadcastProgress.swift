import Causes
import Foundation
import Platform

/// The statistics of a broadcast so far.
package struct BroadcastProgress: Equatable, Sendable {
  /// The statistics since the start, including pauses, as one long second.
  package var total: SecondEvent
  /// The number of ticks that came more than half a frame period late.
  package var lateTicks: UInt64 = 0
  /// The audio samples that were not delivered, because five were waiting already or because they were late.
  package var audioDropped: UInt64 = 0
  package var paused = Duration.zero
  /// The time from the first frame to the last, without pauses.
  package var framesSpan: Duration

  /// Frames per second from the first frame to the last, without pauses; 0 for fewer than two frames.
  package var framesPerSecond: Double {
    let frames = total.framesDelivered
    return frames > 1 && framesSpan > .zero ? Double(frames - 1) / (framesSpan / .seconds(1)) : 0
  }
}
