import CPlatform
import Glibc

/// A monotonic clock: the system's, or a test clock that is advanced manually.
public protocol MonotonicClock: Clock<Duration> where Instant == MonotonicTime {
  /// Blocks the calling thread until `deadline`; returns immediately if it has passed.
  func wait(until deadline: MonotonicTime)

  /// Returns the latest system time at which a sleep until `deadline` ends. Use it for timeouts in the kernel, and check this
  /// clock again afterwards.
  func systemTime(of deadline: MonotonicTime) -> MonotonicTime
}

extension MonotonicClock {
  /// Returns the system's current time plus the time from this clock's `now` to `deadline`.
  public func systemTime(of deadline: MonotonicTime) -> MonotonicTime {
    SystemClock().now + max(.zero, deadline - now)
  }
}

/// The system's monotonic clock (`CLOCK_MONOTONIC`). All processes share it.
public struct SystemClock: MonotonicClock {
  /// Creates the system's clock; all values are equal.
  @inlinable
  public init() {}

  /// The current instant. Wraps `clock_gettime(2)`.
  public var now: MonotonicTime {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// Returns `deadline` itself.
  public func systemTime(of deadline: MonotonicTime) -> MonotonicTime { deadline }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Blocks the calling thread until `deadline`. Wraps `clock_nanosleep(2)`.
  public func wait(until deadline: MonotonicTime) {
    let (seconds, rest) = deadline.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    // UNSAFE: the call reads the struct. It is repeated if a signal interrupts it.
    while unsafe withUnsafePointer(
      to: time, { unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) })
      == EINTR
    {}
  }

  /// Suspends the calling task until `deadline`.
  public func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
    try await Task.sleep(for: max(Duration.zero, deadline - now), tolerance: tolerance, clock: .suspending)
  }

  /// Sets the timer slack of this thread to the minimum, so that sleeps end on time and not up to 50 µs late. Wraps `prctl(2)`
  /// with `PR_SET_TIMERSLACK`.
  public static func sleepPrecisely() { thread_sleeps_precisely() }
}

/// An instant of the monotonic clock. All processes of the host share the clock.
///
/// ```swift
/// let start = SystemClock().now
/// let age: Duration = SystemClock().now - start
/// ```
/// In files and JSON it is stored as ``nanoseconds``, an unsigned 64-bit number.
public struct MonotonicTime: InstantProtocol, Hashable, Codable, Sendable {
  /// Nanoseconds since the clock's origin (on Linux, the boot of the host).
  public var nanoseconds: UInt64

  /// Creates the instant `nanoseconds` after the clock's origin.
  @inlinable
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The clock's origin. Frames and sessions use it for "unknown".
  @inlinable
  public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

  /// Returns the instant `duration` later, clamped to 64 bits.
  public func advanced(by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: UInt64(clamping: Int128(nanoseconds) + duration.attoseconds / 1_000_000_000))
  }

  /// Returns the time from this instant to `other`; negative if `other` is earlier.
  public func duration(to other: MonotonicTime) -> Duration {
    Duration(attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
  }

  /// Returns the nanoseconds since `earlier`; 0 if `earlier` is later. Avoids the 128-bit arithmetic of `Duration`.
  @inlinable
  public func nanoseconds(since earlier: MonotonicTime) -> UInt64 {
    nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0
  }

  /// Whether `lhs` is the earlier instant.
  @inlinable
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Returns the time from `rhs` to `lhs`.
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration { rhs.duration(to: lhs) }

  /// Returns the instant `rhs` after `lhs`.
  public static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime { lhs.advanced(by: rhs) }

  /// Returns the instant `rhs` before `lhs`.
  public static func - (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime { lhs.advanced(by: .zero - rhs) }
}

extension Duration {
  /// The whole nanoseconds of this duration, clamped to 64 bits.
  public var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
