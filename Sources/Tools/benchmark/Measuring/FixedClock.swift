import Platform

/// A clock that always returns one instant, without the cost of the system's clock.
struct FixedClock: MonotonicClock {
  let now = MonotonicTime(nanoseconds: 1)
  let minimumResolution = Duration.nanoseconds(1)

  func wait(until deadline: MonotonicTime) {}
  func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {}
}
