@_exported import WorkerSupport

/// Waits until a condition holds, for a limited time, while other tasks of the main actor run; returns whether it held.
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
