import Foundation

/// Waits until this process, which runs the tests of all targets, has hardly anything to do: what is timed then
/// has the machine to itself. After `limit` it goes on all the same.
@MainActor
func testsGoQuiet(within limit: Duration = .seconds(30)) async throws {
  func secondsUsed() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
  let deadline = ContinuousClock.now + limit
  var (time, used) = (ContinuousClock.now, secondsUsed())
  try await eventually("quiet", within: limit + .seconds(1)) {
    let now = ContinuousClock.now
    guard now - time > .milliseconds(300) else { return false }
    let load = (secondsUsed() - used) / ((now - time) / .seconds(1))
    (time, used) = (now, secondsUsed())
    return load < 0.3 || now > deadline
  }
}
