import CPlatform
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

  /// Lets the thread sleep until `deadline`, in nanoseconds of this clock; not at all when that is over.
  public static func sleep(until deadline: UInt64) {
    let time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    // UNSAFE: the call reads the struct. It fails only by a signal, and is then made again.
    while unsafe withUnsafePointer(
      to: time, { unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) })
      == EINTR
    {}
  }

  /// From here on the thread's sleeps end as soon after their deadline as the system can, instead of up to 50 µs
  /// later, by which it puts several wake-ups together.
  public static func sleepPrecisely() { thread_sleeps_precisely() }
}
