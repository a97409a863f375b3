import Glibc

/// Returns the CPU time of this thread. It does not depend on other processes.
package func processorTime() -> Duration {
  var time = timespec()
  // UNSAFE: the call fills the struct; it cannot fail for this clock.
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
