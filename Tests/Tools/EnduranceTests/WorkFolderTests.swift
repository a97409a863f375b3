import Foundation
import TestSupport
import Testing

@testable import Programs

@Suite struct WorkFolderTests {
  @Test func aFolderInMemoryIsUsedIfItHasRoom() throws {
    let memory = try TemporaryFolder()
    let temporary = WorkFolder.temporaryParent
    #expect(WorkFolder.standardParent(memory: memory.path, leastFreeByteCount: 1) == memory.path)
    #expect(WorkFolder.standardParent(memory: memory.path, leastFreeByteCount: .max) == temporary)
    #expect(WorkFolder.standardParent(memory: memory("missing")) == temporary)
    #expect(!temporary.hasSuffix("/"))
  }
}
