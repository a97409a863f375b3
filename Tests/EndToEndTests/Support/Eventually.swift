import Dispatch

/// What did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
  var description: String
}

/// Looks every few milliseconds until `look` finds something; the one way these tests wait.
///
/// It comes back by the main queue alone, so tests of other suites that keep the shared threads busy do not
/// hold it up.
@MainActor
func eventually<Found>(
  _ what: String, within limit: Duration = .seconds(15), _ look: () throws -> Found?
) async throws -> Found {
  let deadline = ContinuousClock.now + limit
  while true {
    if let found = try look() { return found }
    guard ContinuousClock.now < deadline else { throw TimedOut(description: "\(what) within \(limit)") }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { continuation.resume() }
    }
  }
}

/// Waits until `condition` holds.
@MainActor
func eventually(
  _ what: String, within limit: Duration = .seconds(15), until condition: () throws -> Bool
) async throws {
  let _: Void = try await eventually(what, within: limit) { try condition() ? () : nil }
}
