/// Waits until a condition holds, while other tasks of the main actor run. Returns whether it held.
///
/// The wait ends after `limit`, but at the earliest after a thousand polls. Tests that occupy the shared threads may take
/// more time between two polls than the limit allows.
@MainActor
package func eventually(
  within limit: Duration = .seconds(60), _ condition: @MainActor () -> Bool
) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  var polls = 0
  while !condition() {
    polls += 1
    guard polls < 1000 || clock.now < deadline else { return false }
    do { try await clock.sleep(for: .milliseconds(1)) } catch { return false }
  }
  return true
}
