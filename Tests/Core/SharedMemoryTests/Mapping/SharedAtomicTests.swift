import TestSupport

@testable import SharedMemory

@Suite struct SharedAtomicTests {
  @Test func aWordIsSeenThroughEveryMappingAndAsLittleEndianBytes() throws {
    let folder = try TemporaryFolder()
    let file = try MappedFile(creatingFor: folder("file"), byteCount: 64)
    let other = try MappedFile(path: folder("file.new"))
    let word = SharedAtomic(at: 16, of: file)
    let seen = SharedAtomic(at: 16, of: other)
    word.storeReleasing(0x0102_0304_0506_0708)
    #expect(seen.loadAcquiring() == 0x0102_0304_0506_0708)
    #expect(other.withBytes { $0.loadLittleEndian(at: 16, as: UInt64.self) } == 0x0102_0304_0506_0708)
    word.storeRelaxed(.max)
    #expect(seen.loadRelaxed() == .max)
    #expect(other.withBytes { $0[15] } == 0 && other.withBytes { $0[24] } == 0)
  }

  @Test func aWordOutsideOfTheMappingOrOutOfLineIsAMistakeOfTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let file = try MappedFile(creatingFor: folder("file"), byteCount: 64)
      try folder.remove()  // A process that ends this way does not clean up.
      _ = SharedAtomic(at: 4, of: file)
    }
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let file = try MappedFile(creatingFor: folder("file"), byteCount: 64)
      try folder.remove()
      _ = SharedAtomic(at: 64, of: file)
    }
  }
}
