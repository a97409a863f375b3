import Foundation
import LaunchedPrograms

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
    guard let found else { throw failure("has written no event '\(event)' for \(ChildProcess.waitLimit)") }
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

  /// Waits until the program exits, and returns its exit code.
  @discardableResult @MainActor
  package func exitCode(within limit: Duration = ChildProcess.waitLimit) async throws -> Int32 {
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
}
