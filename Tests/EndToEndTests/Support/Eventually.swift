import Dispatch

/// The reason why a test cannot continue.
struct TestFailure: Error, CustomStringConvertible {
  var description: String
}

/// Polls until `poll` returns a value, and returns that. These tests wait in no other way.
///
/// It resumes on the main queue, so that tests of other suites which occupy the shared threads do not delay it. With a
/// shorter interval the polls of eight tests take a third of the processor time of their programs.
@MainActor
func eventually<Found>(
  _ what: @autoclosure () throws -> String, within limit: Duration = .seconds(60),
  every interval: DispatchTimeInterval = .milliseconds(20), _ poll: () throws -> Found?
) async throws -> Found {
  let deadline = ContinuousClock.now + limit
  while true {
    if let found = try poll() { return found }
    guard ContinuousClock.now < deadline else {
      throw TestFailure(description: "no success within \(limit) in the wait for \(try what())")
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.asyncAfter(deadline: .now() + interval) { continuation.resume() }
    }
  }
}

/// Waits until `condition` holds.
@MainActor
func eventually(
  _ what: @autoclosure () throws -> String, within limit: Duration = .seconds(60),
  every interval: DispatchTimeInterval = .milliseconds(20), until condition: () throws -> Bool
) async throws {
  let _: Void = try await eventually(try what(), within: limit, every: interval) {
    try condition() ? () : nil
  }
}
