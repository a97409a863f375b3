import TestSupport

@testable import Platform

@Suite struct PlainFileTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("file") }

  @Test func whatIsPutThereIsReadAndNothingElseIsLeft() throws {
    for bytes in [[1, 2, 3], [], [UInt8](repeating: 7, count: 200_000)] as [[UInt8]] {
      try PlainFile.replace(path, with: bytes)
      #expect(try PlainFile.read(path, limit: 1 << 20) == bytes)
      #expect(folder.names == ["file"])
    }
    #expect(try PlainFile.read(path, limit: 5) == [7, 7, 7, 7, 7])
    #expect(try PlainFile.read(path, limit: 0) == [])
  }

  @Test func bytesAreWrittenOverAFileInPlace() throws {
    try PlainFile.replace(path, with: [1, 2, 3])
    let old = try PlainFile.open(path)
    try PlainFile.overwrite(path, with: [4, 5], padding: 9)
    #expect(try PlainFile.read(path, limit: 10) == [4, 5, 9])
    try PlainFile.overwrite(path, with: [6, 7, 8, 9], padding: 0)
    #expect(try System.read(old, limit: 10) == [6, 7, 8, 9])
    #expect(folder.names == ["file"])
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aFileThatCannotGrowKeepsItsContent() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/file"
    try PlainFile.replace(path, with: [1, 2, 3])
    try tiny.fill()
    let large = [UInt8](repeating: 7, count: 5000)
    #expect(throws: FileError.self) { try PlainFile.overwrite(path, with: large, padding: 0) }
    #expect(try PlainFile.read(path, limit: 10) == [1, 2, 3])
    try PlainFile.overwrite(path, with: [4, 5, 6, 7], padding: 0)
    #expect(try PlainFile.read(path, limit: 10) == [4, 5, 6, 7])
  }

  @Test func theNewFileIsPrivate() throws {
    try PlainFile.replace(path, with: [1])
    #expect(try System.statusWithoutFollowing(path).permissions == 0o600)
  }

  @Test func whoHasTheOldFileOpenKeepsIt() throws {
    try PlainFile.replace(path, with: [1])
    let old = try PlainFile.open(path)
    try PlainFile.replace(path, with: [2])
    #expect(try System.read(old, limit: 10) == [1])
    #expect(try PlainFile.read(path, limit: 10) == [2])
  }

  @Test func aReaderSeesTheOldOrTheNewFileAndNeverAPart() throws {
    let path = path
    try PlainFile.replace(path, with: [UInt8](repeating: 0, count: 20_000))
    let writes = 100
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      do {
        for turn in 0..<writes {
          if worker == 0 {
            try PlainFile.replace(path, with: [UInt8](repeating: UInt8(turn), count: 20_000))
          } else {
            let bytes = try PlainFile.read(path, limit: 1 << 20)
            #expect(bytes.count == 20_000 && bytes.isUniform)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func aLeftoverOrLinkUnderTheWorkingNameIsReplacedAndNotFollowed() throws {
    let target = folder("target")
    try PlainFile.replace(target, with: [5])
    try makeFile(of: S_IFLNK, at: path + ".new", leadingTo: target)
    try PlainFile.replace(path, with: [1])
    #expect(try (PlainFile.read(target, limit: 10), PlainFile.read(path, limit: 10)) == ([5], [1]))
  }

  @Test func aFolderInItsPlaceIsAnErrorAndNothingIsLeftBehind() throws {
    try makeFile(of: S_IFDIR, at: path)
    #expect(throws: FileError(.notAPlainFile, path)) { try PlainFile.replace(path, with: [1]) }
    #expect(folder.names == ["file"])
  }

  @Test(.enabled(if: TemporaryFolder.canGiveAway, "only root can give a file away, outside a user namespace"))
  func aFileOfAnotherUserIsRefused() throws {
    try PlainFile.replace(path, with: [1])
    try giveAway(path)
    #expect(throws: FileError(.foreignOwner(12345), path)) { try PlainFile.read(path, limit: 10) }
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func aFullFileSystemKeepsTheOldFile() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    let path = tiny.path + "/file"
    try PlainFile.replace(path, with: [1])
    try tiny.fill()
    #expect(throws: FileError(.call("write", Errno(rawValue: ENOSPC)), path + ".new")) {
      try PlainFile.replace(path, with: [UInt8](repeating: 2, count: 10_000))
    }
    #expect(try PlainFile.read(path, limit: 10) == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: tiny.path).sorted() == ["file", "filler"])
  }

  @Test func movingKeepsTheBytes() throws {
    try PlainFile.replace(path, with: [1])
    try PlainFile.move(path, to: folder("other"))
    #expect(folder.names == ["other"])
    #expect(try PlainFile.read(folder("other"), limit: 10) == [1])
    #expect(throws: FileError.self) { try PlainFile.move(path, to: folder("other")) }
  }

  @Test func onlyAPlainFileOfThisUserIsRemoved() throws {
    try PlainFile.replace(path, with: [1])
    let (link, inner) = (folder("link"), folder("folder"))
    try makeFile(of: S_IFLNK, at: link, leadingTo: path)
    try makeFile(of: S_IFDIR, at: inner)
    #expect(throws: FileError(.symbolicLink, link)) { try PlainFile.remove(link) }
    #expect(throws: FileError(.notAPlainFile, inner)) { try PlainFile.remove(inner) }
    #expect(try FileStatus.read(at: link)?.kind == .symbolicLink)
    try PlainFile.remove(path)
    try PlainFile.remove(path)
    #expect(folder.names == ["folder", "link"])
  }

  @Test(.enabled(if: TemporaryFolder.canGiveAway, "only root can give a file away, outside a user namespace"))
  func aFileOfAnotherUserIsNotRemoved() throws {
    try PlainFile.replace(path, with: [1])
    try giveAway(path)
    #expect(throws: FileError(.foreignOwner(12345), path)) { try PlainFile.remove(path) }
    #expect(folder.names == ["file"])
  }

  @Test func aWriteOfNoBytesIsAFullFileSystemWhateverErrnoWasBefore() {
    let full = FileError(.call("write", .noSpace), "x")
    #expect(throws: full) {
      try System.writeAll([1], call: "write", path: "x") { _, _ in
        errno = EINTR
        return 0
      }
    }
  }
}
