/// What a watch is to do before it ends.
package struct WatchGoals: Equatable, Sendable {
  /// Ends after this time; `nil` for no limit.
  package var duration: Duration?
  /// Ends after this many frames; `nil` for no limit.
  package var frames: UInt64?
  /// Gives up when no frame came within this time; `nil` to wait for ever.
  package var wait: Duration?
  /// Ends when the first broadcast has ended.
  package var endsWithBroadcast: Bool

  /// Goals; none by default.
  package init(
    duration: Duration? = nil, frames: UInt64? = nil, wait: Duration? = nil, endsWithBroadcast: Bool = false
  ) {
    self.duration = duration
    self.frames = frames
    self.wait = wait
    self.endsWithBroadcast = endsWithBroadcast
  }
}
