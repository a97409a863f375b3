import TestSupport

@testable import Platform
@testable import SharedMemory

@Suite struct MappedFileTests {
  private let folder = TemporaryFolder.ofSuite()
  private var place: String { folder("file") }
  private var path: String { folder("file.new") }

  @Test func aNewFileIsZerosAndWhatIsWrittenIsSeenByOthers() throws {
    let file = try MappedFile(creatingFor: place, byteCount: 5000)
    let other = try MappedFile(path: path)
    #expect(other.byteCount == 5000)
    #expect(other.withBytes { $0.bytes } == [UInt8](repeating: 0, count: 5000))
    file.withMutableBytes(4990..<5000) { $0[9] = 77 }
    #expect(other.withBytes { $0[4999] } == 77)
    #expect(other.identity == file.identity)
    #expect(!file.isLost && !other.isLost)
  }

  @Test func anEmptyFileCannotBeMapped() throws {
    try PlainFile.replace(path, with: [])
    #expect(throws: FileError(.empty, path)) { try MappedFile(path: path) }
  }

  @Test(arguments: [0, Int.max]) func anImpossibleSizeIsRefusedAndLeavesNothing(byteCount: Int) throws {
    #expect(throws: FileError.self) { try MappedFile(creatingFor: place, byteCount: byteCount) }
    #expect(folder.names == [])
  }

  @Test func theFirstErrorIsThrownIfTheFileCannotBeRemovedEither() throws {
    let file = try MappedFile(creatingFor: place, byteCount: 1)
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: FileError(.call("rename", .noSuchFileOrDirectory), place)) {
      try file.moveIntoPlace(place)
    }
  }

  @Test func bytesThatWereCutOffAreZerosAndCountAsLost() throws {
    let page = System.pageSize
    let file = try MappedFile(creatingFor: place, byteCount: 3 * page)
    file.withMutableBytes(0..<(3 * page)) { $0[0] = 1 }
    setSize(of: path, to: page)
    #expect(file.withBytes { $0[0] } == 1)
    #expect(!file.isLost)
    #expect(file.withBytes { $0[2 * page] } == 0)
    #expect(file.isLost)
    file.withMutableBytes(0..<10) { $0[0] = 2 }
    #expect(file.withBytes { $0[0] } == 2)
  }

  @Test func aGuardEndsWithItsMappingSoThatThousandsMayFollowEachOther() throws {
    for _ in 0..<1000 {
      let file = try MappedFile(creatingFor: place, byteCount: 1)
      #expect(!file.isLost)
    }
  }

  @Test func moreMappingsThanCanBeGuardedAreAnErrorAndLeaveNothing() async throws {
    // In a separate process, because all tests of a process share the table.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var files: [MappedFile] = []
      let place = folder("file")
      let error = #expect(throws: FileError.self) {
        for _ in 0...1024 { files.append(try MappedFile(creatingFor: place, byteCount: 1)) }
      }
      #expect(error == FileError(.tooManyMappings, place + ".new"))
      #expect(files.count == 1024)
      #expect(folder.names == [])
      files.removeLast()
      _ = try MappedFile(creatingFor: place, byteCount: 1)
    }
  }
}
