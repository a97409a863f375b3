import Platform
import RunReports

package struct BroadcastReport: Sendable {
  package var ending: BroadcastEnding
  package var progress: Progress
  package var misuses: [HandlerMisuse: UInt64] = [:]
  /// The most buffers that the handler held, and the longest time, when none was left; `nil` if one always was.
  package var held: HeldBuffers?
  package var samplesHeld = HeldSamples.Figures()
  /// The text of the dialog that a phone shows; `nil` if it shows none.
  package var dialog: String?
  /// How long the extension still worked after the handler's last call; `nil` if it was at rest at once.
  package var workAfterEnd: Duration?
  /// How long the handler's calls with a frame took.
  package var handlerTimes = DelayHistogram()

  package struct Progress: Equatable, Sendable {
    /// Frames delivered to the handler.
    package var framesProduced: UInt64
    /// Frames of the screen that were not delivered: five waited already, no buffer was free, or the screen was late.
    package var framesDropped: UInt64
    /// Ticks that came more than half a frame period late.
    package var lateTicks: UInt64
    /// Audio samples that were not delivered: five waited already, or they were late.
    package var audioDropped: UInt64 = 0
    /// The time since the start, pauses included.
    package var elapsed: Duration
    package var paused: Duration
    /// The time of the handler's calls with a frame, together.
    package var handlerTime = Duration.zero
    /// The time from the first frame to the last, without pauses.
    package var framesSpan: Duration

    /// ``elapsed`` in seconds.
    package var seconds: Double { elapsed / .seconds(1) }

    /// Frames per second from the first frame to the last, without pauses; 0 for fewer than two frames.
    package var framesPerSecond: Double {
      framesProduced > 1 && framesSpan > .zero ? Double(framesProduced - 1) / (framesSpan / .seconds(1)) : 0
    }
  }
}
