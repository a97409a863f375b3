/// When a watch ends.
package struct WatchGoals: Equatable, Sendable {
  /// Ends after this time; `nil` for no limit.
  package var duration: Duration?
  /// Ends after this number of frames; `nil` for no limit.
  package var frames: UInt64?
  /// Ends if no frame comes within this time; `nil` for no limit.
  package var wait: Duration?
  /// Ends when the first broadcast ends.
  package var endsWithBroadcast: Bool

  package init(
    duration: Duration? = nil, frames: UInt64? = nil, wait: Duration? = nil, endsWithBroadcast: Bool = false
  ) {
    self.duration = duration
    self.frames = frames
    self.wait = wait
    self.endsWithBroadcast = endsWithBroadcast
  }
}
