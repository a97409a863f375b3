import CommandLineSupport
import Platform
import RunReports

package struct BroadcastReport: Sendable {
  package var ending: BroadcastEnding
  package var progress: Progress
  /// Frames of which the handler has read pixels.
  package var framesRead: UInt64 = 0
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

  /// Frames that the screen had and the handler did not get.
  package struct Drops: Equatable, Sendable {
    /// Five frames waited for the handler already.
    package var behind: UInt64 = 0
    /// No buffer was free, because the handler held them.
    package var held: UInt64 = 0
    /// An event left them out.
    package var leftOut: UInt64 = 0
    /// The timer of the screen was late.
    package var late: UInt64 = 0

    package init(behind: UInt64 = 0, leftOut: UInt64 = 0, late: UInt64 = 0) {
      (self.behind, self.leftOut, self.late) = (behind, leftOut, late)
    }
  }

  package struct Progress: Equatable, Sendable {
    /// Frames delivered to the handler.
    package var framesProduced: UInt64
    /// Frames of the screen that were not delivered, by reason.
    package var dropped: Drops
    /// All of ``dropped``.
    package var framesDropped: UInt64 { dropped.behind + dropped.held + dropped.leftOut + dropped.late }
    /// Ticks that came more than half a frame period late.
    package var lateTicks: UInt64
    /// Audio samples that were not delivered: five waited already, or they were late.
    package var audioDropped: UInt64 = 0
    /// The time since the start, pauses included.
    package var elapsed: Duration
    package var paused: Duration
    /// The time of the handler's calls with a frame, together.
    package var handlerTime = Duration.zero
    /// The longest call with a frame or with audio.
    package var longestCall = Duration.zero
    /// How long the handler waited for a thread or a processor, and how long the screen did.
    package var machineDelay = Duration.zero
    package var screenDelay = Duration.zero
    /// The bytes that the handler sent through the proxy of sockets; `nil` without such a connection.
    package var sentBytes: UInt64?
    /// The time from the first frame to the last, without pauses.
    package var framesSpan: Duration

    /// ``elapsed`` in seconds.
    package var seconds: Double { elapsed / .seconds(1) }

    /// Frames per second from the first frame to the last, without pauses; 0 for fewer than two frames.
    package var framesPerSecond: Double {
      framesProduced > 1 && framesSpan > .zero ? Double(framesProduced - 1) / (framesSpan / .seconds(1)) : 0
    }

    /// What terminal and report say of it.
    var sentence: String {
      "\(framesProduced) frames in \(seconds.text(decimals: 1)) s = \(framesPerSecond.text(decimals: 2)) fps, "
        + "\(framesDropped) dropped, \(lateTicks) late ticks"
    }
  }
}
