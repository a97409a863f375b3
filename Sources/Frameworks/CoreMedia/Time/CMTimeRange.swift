// Models what handlers use of CoreMedia/CMTimeRange.h.

/// A part of a time line.
public struct CMTimeRange: Sendable, Equatable {
  /// The first moment.
  public var start: CMTime
  /// The length.
  public var duration: CMTime

  /// Creates a range from its start and its length.
  public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

  /// Creates a range from its start to its end.
  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: CMTimeSubtract(end, start)) }

  /// The range of nothing, at zero.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// An invalid range.
  public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

  /// The moment after the range.
  public var end: CMTime { CMTimeAdd(start, duration) }
  /// Whether start and length are valid, and the length is not negative.
  public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
  /// Whether the range has no moment.
  public var isEmpty: Bool { isValid && duration == .zero }

  /// Whether a moment is in the range.
  public func containsTime(_ time: CMTime) -> Bool { time >= start && time < end }
}

/// Returns a range from its start and its length.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}

/// Returns the moment after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
