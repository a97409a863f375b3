import TestSupport

@testable import Platform

@Suite struct FreeSpaceTests {
  @Test func aMissingPathHasNoFreeSpace() {
    #expect(throws: FileError(.call("statvfs", .noSuchFileOrDirectory), "/no/such")) {
      try System.freeByteCount(at: "/no/such")
    }
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func theFreeSpaceIsWhatIsLeft() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    #expect(try System.freeByteCount(at: tiny.path) == 1 << 20)
    try tiny.fill()
    #expect(try System.freeByteCount(at: tiny.path) == 0)
  }
}
