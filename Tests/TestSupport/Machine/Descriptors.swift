package func descriptorCount() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Expects that the process soon has no more file descriptors than before, because its threads may still be closing some.
@MainActor
package func expectNoNewDescriptors(since before: Int) async throws {
  let hasClosed = await eventually { (try? descriptorCount()).map { $0 <= before } == true }
  let after = try descriptorCount()
  #expect(hasClosed, "\(after), \(before) before")
}
