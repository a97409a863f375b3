import CPlatform
import Glibc

/// A clock whose instants are those of the monotonic clock: the system's, or one that a test advances.
public protocol MonotonicClock: Clock<Duration> where Instant == MonotonicTime {
  /// Blocks the calling thread until `deadline`; returns at once if that has passed.
  func wait(until deadline: MonotonicTime)

  /// The system's time at which a sleep until `deadline` ends at the latest. For sleeps in the kernel, whose caller checks
  /// this clock again.
  func systemTime(of deadline: MonotonicTime) -> MonotonicTime
}

extension MonotonicClock {
  /// As far from the system's present time as `deadline` is from this clock's.
  public func systemTime(of deadline: MonotonicTime) -> MonotonicTime {
    SystemClock().now + max(.zero, deadline - now)
  }
}

/// The system's monotonic clock, the same in every process. The corresponding C clock is `CLOCK_MONOTONIC`.
public struct SystemClock: MonotonicClock {
  /// The system's clock; every value is the same clock.
  @inlinable
  public init() {}

  /// The present instant. The corresponding C function is `clock_gettime`.
  public var now: MonotonicTime {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// The same time.
  public func systemTime(of deadline: MonotonicTime) -> MonotonicTime { deadline }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Blocks the calling thread until `deadline`. The corresponding C function is `clock_nanosleep`.
  public func wait(until deadline: MonotonicTime) {
    let (seconds, rest) = deadline.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    // UNSAFE: the call reads the struct. A signal interrupts it, and then it is repeated.
    while unsafe withUnsafePointer(
      to: time, { unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) })
      == EINTR
    {}
  }

  /// Suspends the calling task until `deadline`.
  public func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
    try await Task.sleep(for: max(Duration.zero, deadline - now), tolerance: tolerance, clock: .suspending)
  }

  /// Lets this thread's sleeps end as soon after their deadline as the system can, instead of up to 50 µs later.
  /// The corresponding C function is `prctl` with `PR_SET_TIMERSLACK`.
  public static func sleepPrecisely() { thread_sleeps_precisely() }
}

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
