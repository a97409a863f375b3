/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64
/// The denominator of a ``CMTime``: units per second.
public typealias CMTimeScale = Int32
/// What tells times apart that are equal as numbers, such as those of two rounds of a loop.
public typealias CMTimeEpoch = Int64

/// The largest time scale.
public let kCMTimeMaxTimescale: CMTimeScale = 0x7fff_ffff

/// A time as a fraction: `value / timescale` seconds.
///
/// ```swift
/// CMTime(value: 1, timescale: 60).seconds   // 0.0166…
/// ```
public struct CMTime: Sendable {
  /// The numerator, in units of `1 / timescale` seconds.
  public var value: CMTimeValue
  /// The units per second; positive in every numeric time.
  public var timescale: CMTimeScale
  /// Whether this is a time at all, and whether it is a number.
  public var flags: CMTimeFlags
  /// Which of several time lines the time lies on.
  public var epoch: CMTimeEpoch

  /// A time of four given parts; nothing is checked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// The invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// A time of `value / timescale` seconds; invalid when `timescale` is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// The time nearest to a number of seconds; see ``CMTimeMakeWithSeconds(_:preferredTimescale:)``.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// Nothing: what a field holds when there is no time.
  public static let invalid = CMTime()
  /// A time that is not known.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Earlier than every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1)

  /// Whether this is a time at all.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether the time is valid and unknown.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether the time is valid and later than every number.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether the time is valid and earlier than every number.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether the time is valid and a number.
  public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
  /// Whether a conversion or a sum lost some precision.
  public var hasBeenRounded: Bool { isValid && flags.contains(.hasBeenRounded) }

  /// The time in seconds; see ``CMTimeGetSeconds(_:)``.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// The same time in units of `1 / newTimescale` seconds.
  public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}
