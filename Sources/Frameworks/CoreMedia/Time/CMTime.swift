// Models CoreMedia/CMTime.h and its Swift overlay; the functions are in `CMTime+Functions.swift`.

/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64
/// The denominator of a ``CMTime``: units per second.
public typealias CMTimeScale = Int32
/// The number of a time line: distinguishes equal times, such as those of two rounds of a loop.
public typealias CMTimeEpoch = Int64

/// The largest time scale. An `Int`, as the macro's `long` is in Swift.
public let kCMTimeMaxTimescale: Int = 0x7fff_ffff

/// The state of a ``CMTime``.
public struct CMTimeFlags: OptionSet, Sendable {
  /// The flags as Core Media's bits.
  public let rawValue: UInt32

  /// Creates flags from Core Media's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time is valid; without this flag the others mean nothing.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// A conversion or a sum lost precision.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  /// The time is later than every number.
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  /// The time is earlier than every number.
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  /// The time is unknown.
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// The flags under which the value means nothing.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// The direction in which a time is rounded when its new time scale cannot hold it.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To the nearest value, halves away from zero.
  case roundHalfAwayFromZero = 1
  /// Towards zero.
  case roundTowardZero = 2
  /// Away from zero.
  case roundAwayFromZero = 3
  /// Towards zero when the time scale becomes smaller, away from zero when it becomes larger; a negative time never becomes
  /// zero.
  case quickTime = 4
  /// Up.
  case roundTowardPositiveInfinity = 5
  /// Down.
  case roundTowardNegativeInfinity = 6

  /// Core Media's default method.
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

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
  /// The state of the time.
  public var flags: CMTimeFlags
  /// The number of the time line.
  public var epoch: CMTimeEpoch

  /// Creates a time from its four fields, unchecked.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Creates the invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// Creates a time of `value / timescale` seconds; invalid when `timescale` is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// Creates the time nearest to a number of seconds; see ``CMTimeMakeWithSeconds(_:preferredTimescale:)``.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// The invalid time: the value of an absent time.
  public static let invalid = CMTime()
  /// An unknown time.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time later than every number.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time earlier than every number.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1)

  /// Whether the time is valid.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether the time is valid and unknown.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether the time is valid and later than every number.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether the time is valid and earlier than every number.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether the time is valid and a number.
  public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
  /// Whether a conversion or a sum lost precision.
  public var hasBeenRounded: Bool { isValid && flags.contains(.hasBeenRounded) }

  /// The time in seconds; see ``CMTimeGetSeconds(_:)``.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// Returns the time in units of `1 / newTimescale` seconds.
  public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}

extension CMTime: Comparable {
  /// Whether ``CMTimeCompare(_:_:)`` orders two times the same: 1/2 equals 2/4.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

  /// Whether ``CMTimeCompare(_:_:)`` orders the first time before the second.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

  /// The sum; see ``CMTimeAdd(_:_:)``.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// The difference; see ``CMTimeSubtract(_:_:)``.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
    CMTimeSubtract(minuend, subtrahend)
  }
}
