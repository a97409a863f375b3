/// Creates a folder, runs `body` with it, and removes it.
///
/// - Parameter ofPrograms: whether files in the folder must be executable.
package func withFolder<Result>(ofPrograms: Bool = false, _ body: (URL) throws -> Result) throws -> Result {
  let folder = try ofPrograms ? TemporaryFolder.ofPrograms() : TemporaryFolder()
  let result = try body(URL(filePath: folder.path))
  try folder.remove()
  return result
}

/// Creates a folder, runs `body` with it, and removes it.
///
/// - Parameter ofPrograms: whether files in the folder must be executable.
@MainActor
package func withFolder<Result>(
  ofPrograms: Bool = false, _ body: @MainActor (URL) async throws -> Result
) async throws -> Result {
  let folder = try ofPrograms ? TemporaryFolder.ofPrograms() : TemporaryFolder()
  let result = try await body(URL(filePath: folder.path))
  try folder.remove()
  return result
}
