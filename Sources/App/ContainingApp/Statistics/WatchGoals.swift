/// What a watch is to do before it ends.
public struct WatchGoals: Equatable, Sendable {
  /// Ends after this time; `nil` for no limit.
  public var duration: Duration?
  /// Ends after this many frames; `nil` for no limit.
  public var frames: UInt64?
  /// Gives up when no frame came within this time; `nil` to wait for ever.
  public var wait: Duration?
  /// Ends when the first broadcast has ended.
  public var endsWithBroadcast: Bool

  /// Goals; none by default.
  public init(
    duration: Duration? = nil, frames: UInt64? = nil, wait: Duration? = nil, endsWithBroadcast: Bool = false
  ) {
    self.duration = duration
    self.frames = frames
    self.wait = wait
    self.endsWithBroadcast = endsWithBroadcast
  }
}
