import TestSupport

@testable import LaunchedPrograms

@Suite struct TemporaryFolderTests {
  @Test func aFolderInMemoryIsUsedIfItHasRoom() throws {
    let memory = try TemporaryFolder()
    let temporary = TemporaryFolder.temporaryParent
    #expect(TemporaryFolder.standardParent(memory: memory.path, leastFreeByteCount: 1) == memory.path)
    #expect(TemporaryFolder.standardParent(memory: memory.path, leastFreeByteCount: .max) == temporary)
    #expect(TemporaryFolder.standardParent(memory: memory("missing")) == temporary)
    #expect(!temporary.hasSuffix("/"))
  }
}
