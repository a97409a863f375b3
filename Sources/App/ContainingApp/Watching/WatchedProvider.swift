import CommandLineSupport
import ScreenBroadcast

/// What a watch follows: a broadcast, or a capture within the app. Both end in the same state.
@MainActor
package protocol WatchedProvider: AnyObject {
  /// The present state.
  var state: BroadcastState { get }
  /// The delays of all frames so far.
  var delays: FrameDelays { get }
  /// Told after every change, with the state before and after.
  var onCommit: (_ old: BroadcastState, _ new: BroadcastState) -> Void { get set }
  /// Told of all sound as it came.
  var onSound: (BroadcastAudio) -> Void { get set }
  /// The word for what is followed, as in "The broadcast is live."
  var subject: String { get }
  /// What is to be shown at first, where the state says so little that nothing was shown of it.
  var opening: [WatchOutput] { get }

  /// Starts following.
  func start()
  /// Stops following. The state stays as it is.
  func stop()
  /// Brings what is not told by itself up to date.
  func refresh()
  /// What went wrong, beside torn frames and crashes, which the state tells; `nil` when nothing did.
  func failure(wasInterrupted: Bool) -> ProgramFailure?
}
