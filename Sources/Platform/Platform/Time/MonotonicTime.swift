/// An instant of the monotonic clock, which every process of the machine shares.
///
/// ```swift
/// let start = SystemClock().now
/// let age: Duration = SystemClock().now - start
/// ```
/// Files and JSON carry it as ``nanoseconds``, an unsigned 64-bit number.
public struct MonotonicTime: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the clock's start, which on Linux is the start of the machine.
  public var nanoseconds: UInt64

  /// The instant `nanoseconds` after the clock's start.
  @inlinable
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The clock's start. Frames and sessions use it for "unknown".
  @inlinable
  public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

  /// The instant `duration` later, limited to what 64 bits can hold.
  public func advanced(by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: UInt64(clamping: Int128(nanoseconds) + duration.attoseconds / 1_000_000_000))
  }

  /// The time from this instant to `other`; negative if `other` is earlier.
  public func duration(to other: MonotonicTime) -> Duration {
    Duration(attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
  }

  /// The nanoseconds since `earlier`; 0 if `earlier` is later. Costs no 128-bit arithmetic, as a `Duration` would.
  @inlinable
  public func nanoseconds(since earlier: MonotonicTime) -> UInt64 {
    nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0
  }

  /// Whether `lhs` is the earlier instant.
  @inlinable
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// The time from `rhs` to `lhs`.
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration { rhs.duration(to: lhs) }

  /// The instant `rhs` after `lhs`.
  public static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime { lhs.advanced(by: rhs) }

  /// The instant `rhs` before `lhs`.
  public static func - (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime { lhs.advanced(by: .zero - rhs) }
}

extension Duration {
  /// The whole nanoseconds of this duration, limited to what 64 bits can hold.
  public var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
