import Foundation
import Platform

extension LaunchedProgram {
  /// Waits until the program has ended, and returns how it ended.
  @MainActor
  package func end(within limit: Duration = ChildProcess.waitLimit) async throws -> ChildProcess.Ending {
    let end = try await firstValue(within: limit) { hasEnded ? ending?.how : nil }
    guard let end else { throw failure("has not ended within \(limit)") }
    return end
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
  within limit: Duration = ChildProcess.waitLimit, every interval: DispatchTimeInterval = .milliseconds(20),
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
