import Glibc

/// The clock both processes share: nanoseconds that never jump, counted from the start of the machine.
public enum MonotonicTime {
  /// The present moment, in nanoseconds.
  public static var now: UInt64 {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
