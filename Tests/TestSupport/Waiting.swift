import Foundation

/// Waits on this thread until a condition holds, for a limited time; whether it held.
package func holds(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    sched_yield()
  }
  return true
}

/// Waits until a condition holds, for a limited time, and lets other tasks of the main actor run; whether it held.
@MainActor
package func eventually(
  within limit: Duration = .seconds(20), _ condition: @MainActor () -> Bool
) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while !condition() {
    guard clock.now < deadline else { return false }
    do { try await clock.sleep(for: .milliseconds(1)) } catch { return false }
  }
  return true
}
