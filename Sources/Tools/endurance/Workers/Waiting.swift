import Foundation

/// Looks every fifth of a millisecond whether a condition holds, for a limited time; whether it held.
func holds(within limit: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(200)
  }
  return true
}
