import Dispatch

/// Something that did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
  var description: String
}

/// Calls `find` every 5 ms until it returns a value. These tests wait in no other way.
///
/// It uses only the main queue, so that tests of other suites on the shared threads do not delay it.
@MainActor
func eventually<Found>(
  _ what: String, within limit: Duration = .seconds(15), _ find: () throws -> Found?
) async throws -> Found {
  let deadline = ContinuousClock.now + limit
  while true {
    if let found = try find() { return found }
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
