import Foundation
import Platform

extension LaunchedProgram {
  /// Waits for an event that `matches`, after the first `count` events of any name.
  @discardableResult @MainActor
  package func event(
    _ event: String, after count: Int = 0, where matches: (ProgramEvent) -> Bool = { _ in true }
  ) async throws -> ProgramEvent {
    let found = try await firstValue { () throws(Failure) -> ProgramEvent? in
      // A program that has ended may have written the event just before its end.
      let hasEnded = hasEnded
      let found = try events().dropFirst(count).first { $0.name == event && matches($0) }
      guard found == nil, hasEnded else { return found }
      throw failure("\((ending?.how).text) without an event '\(event)'")
    }
    guard let found else { throw failure("has written no event '\(event)' for \(ChildProcess.patience)") }
    return found
  }

  /// Waits for an event that the program has not written yet.
  @discardableResult @MainActor
  package func nextEvent(
    _ event: String, where matches: (ProgramEvent) -> Bool = { _ in true }
  ) async throws -> ProgramEvent {
    try await self.event(event, after: try events().count, where: matches)
  }

  /// Waits until an app has reported that the flag was on and is off again.
  @MainActor
  package func endOfBroadcast() async throws {
    let isSeen = try await firstValue { () throws(Failure) -> Bool? in
      let statuses = try events("status").map { $0.boolean("active") }
      return statuses.contains(true) && statuses.last == false ? true : nil
    }
    guard isSeen == true else { throw failure("has not reported the end of the broadcast") }
  }

  /// Waits until the program has ended, and returns how it ended.
  @MainActor
  package func end(within limit: Duration = ChildProcess.patience) async throws -> ChildProcess.Ending {
    let end = try await firstValue(within: limit) { hasEnded ? ending?.how : nil }
    guard let end else { throw failure("has not ended within \(limit)") }
    return end
  }

  /// Waits until the program exits, and returns its exit code.
  @discardableResult @MainActor
  package func exitCode(within limit: Duration = ChildProcess.patience) async throws -> Int32 {
    let end = try await end(within: limit)
    guard case .exit(let code) = end else { throw failure("\(end)") }
    return code
  }

  /// Waits until the program has ended. Throws if it ended otherwise than `wanted`, or if a line of its output is not an
  /// event.
  @MainActor
  package func expectEnd(_ wanted: ChildProcess.Ending = .exit(0)) async throws {
    let ending = try await end()
    guard ending == wanted else { throw failure("\(ending); expected: \(wanted)") }
    _ = try events()
  }

  /// Creates a failure whose sentence begins with the name of this program.
  package func failure(_ predicate: String) -> Failure {
    let errors = String(errors.suffix(400)).trimmingCharacters(in: .whitespacesAndNewlines)
    return Failure(
      "\(name) (process \(pid)) \(predicate)" + (errors.isEmpty ? "" : "; its stderr: \(errors)"))
  }
}

/// Polls until `poll` returns a value, and returns the value; `nil` if the timeout expires.
///
/// It resumes on the main queue, so that work on the shared threads does not delay it. With a shorter interval, the polls
/// of eight tests would take a third of the CPU time of their programs.
@MainActor
package func firstValue<Found>(
  within limit: Duration = ChildProcess.patience, every interval: DispatchTimeInterval = .milliseconds(20),
  _ poll: () throws -> Found?
) async throws -> Found? {
  let deadline = SystemClock().now + limit
  while true {
    if let found = try poll() { return found }
    guard SystemClock().now < deadline else { return nil }
    try Task.checkCancellation()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.asyncAfter(deadline: .now() + interval) { continuation.resume() }
    }
  }
}
