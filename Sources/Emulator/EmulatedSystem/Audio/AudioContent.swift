import TestPatterns

/// What an emulated device plays or hears.
@MainActor
public protocol AudioContent: AnyObject {
  /// The samples of `count` frames from `frame` on, channel by channel within a frame: `count * channelCount`.
  ///
  /// Frames are asked for in order, but for the ones that fall into a pause, which are not asked for.
  ///
  /// - Parameter clock: the rate of the stream, and when its frame 0 is taken.
  func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16]
}
