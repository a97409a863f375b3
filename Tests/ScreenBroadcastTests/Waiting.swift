import Foundation

/// Waits until a condition holds, for `limit` at the most; whether it does.
func holds(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while try !condition() {
    if ContinuousClock.now > end { return false }
    sched_yield()
  }
  return true
}
