import CommandLineSupport
import ReplayKit

/// Something that happens to a broadcast from outside: what the person, the system or another app does, and what a
/// device or a handler may be like.
public enum DeviceEvent: Equatable, Sendable {
  /// The person pauses, or goes on.
  case pause, resume
  /// The person taps the red mark: the broadcast pauses, and a second later ends or goes on.
  case indicator(IndicatorAnswer)
  /// The device is locked: no samples until it is unlocked.
  case lock, unlock
  /// A phone call comes in: both kinds of sound are silence until it is over.
  case call, hangUp
  /// The person ends the broadcast.
  case stop
  /// The extension ends it with one of ReplayKit's errors.
  case error(RPRecordingErrorCode)
  /// The system tells the extension which app the screen shows.
  case annotate(bundleIdentifier: String)
  /// The device is turned.
  case rotate(CGImagePropertyOrientation)
  /// The screen has another size from now on.
  case resize(Size)
  /// Nothing changes on the screen for so long, so that no pictures come.
  case still(Duration)
  /// The screen changes so many times a second from now on.
  case rate(Double)
  /// So many pictures are not taken.
  case skip(Int)
  /// So many pictures come all at once, after as long as they would have taken.
  case burst(Int)
  /// Every call of the handler takes so much longer from now on.
  case slow(Duration)
  /// The extension takes so many MiB of memory and keeps them.
  case allocate(mebibytes: Int)
  /// The extension's process dies.
  case crash

  /// What the person answers when asked whether to stop.
  public enum IndicatorAnswer: String, CaseIterable, Sendable {
    /// To stop.
    case stop
    /// Not to.
    case cancel
  }
}
