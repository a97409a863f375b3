import TestSupport

/// The reason why a test cannot continue.
struct TestFailure: Error, CustomStringConvertible {
  var description: String
}

/// Polls until `poll` returns a value, and returns the value. These tests wait only with this function.
@MainActor
func eventually<Found>(
  _ what: @autoclosure () throws -> String, within limit: Duration = .seconds(60),
  every interval: DispatchTimeInterval = .milliseconds(20), _ poll: () throws -> Found?
) async throws -> Found {
  guard let found = try await firstValue(within: limit, every: interval, poll) else {
    throw TestFailure(description: "no success within \(limit) in the wait for \(try what())")
  }
  return found
}

@MainActor
func eventually(
  _ what: @autoclosure () throws -> String, within limit: Duration = .seconds(60),
  every interval: DispatchTimeInterval = .milliseconds(20), until condition: () throws -> Bool
) async throws {
  let _: Void = try await eventually(try what(), within: limit, every: interval) {
    try condition() ? () : nil
  }
}
