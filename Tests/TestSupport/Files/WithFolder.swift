import Foundation

/// Runs `body` with a folder of its own, removed afterwards.
package func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  let result = try body(URL(filePath: folder.path))
  try folder.remove()
  return result
}

/// Runs `body` with a folder of its own, removed afterwards.
@MainActor
package func withFolder<Result>(_ body: @MainActor (URL) async throws -> Result) async throws -> Result {
  let folder = try TemporaryFolder()
  let result = try await body(URL(filePath: folder.path))
  try folder.remove()
  return result
}
