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
