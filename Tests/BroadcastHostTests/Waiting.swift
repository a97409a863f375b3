import Foundation

/// Waits until a condition holds, for a limited time; whether it held.
@MainActor
func eventually(within limit: Duration = .seconds(20), _ condition: @MainActor () -> Bool) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while !condition() {
    guard clock.now < deadline else { return false }
    do { try await clock.sleep(for: .milliseconds(1)) } catch { return false }
  }
  return true
}

/// Runs `body` with a folder of its own, removed afterwards.
@MainActor
func withFolder<Result>(_ body: @MainActor (URL) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  let result: Swift.Result<Result, any Error>
  do { result = .success(try await body(folder)) } catch { result = .failure(error) }
  try FileManager.default.removeItem(at: folder)
  return try result.get()
}
