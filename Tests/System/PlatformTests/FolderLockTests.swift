import TestSupport

@testable import Platform

@Suite struct FolderLockTests {
  private let folder = TemporaryFolder.ofSuite()

  @Test func changesUnderTheLockAreNotLost() throws {
    let path = folder("count")
    try PlainFile.replace(path, with: Array("0".utf8))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        for _ in 0..<50 {
          try FolderLock.hold(on: folder.path) { () throws(FileError) in
            let text = String(decoding: try PlainFile.read(path, limit: 100), as: UTF8.self)
            try PlainFile.replace(path, with: Array("\(Int(text)! + 1)".utf8))
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try PlainFile.read(path, limit: 100) == Array("200".utf8))
  }

  @Test func theLockEndsWithTheClosureAlsoWhenItThrows() throws {
    let objection = FileError(.moved, folder.path)
    #expect(throws: objection) {
      try FolderLock.hold(on: folder.path) { () throws(FileError) in throw objection }
    }
    #expect(try FolderLock.hold(on: folder.path) { 5 } == 5)
  }

  @Test func theLockEndsWithTheClosureAlsoIfAChildSharesTheFolder() throws {
    var shared: [Int32] = []
    defer { for descriptor in shared { close(descriptor) } }
    try FolderLock.hold(on: folder.path) {
      // A duplicate descriptor shares the open file, as a child between fork and exec does.
      for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
        let target = URL(filePath: "/proc/self/fd/\(name)").resolvingSymlinksInPath().path
        if target == folder.path, let descriptor = Int32(name) { shared.append(dup(descriptor)) }
      }
    }
    #expect(!shared.isEmpty)
    #expect(try FolderLock.hold(on: folder.path) { 5 } == 5)
  }

  @Test(.sharedMachine) func aLockThatIsNeverLeftIsAnErrorAfterAWhile() throws {
    let start = ContinuousClock.now
    try FolderLock.hold(on: folder.path) {
      _ = #expect(throws: FileError(.busy, folder.path)) { try FolderLock.hold(on: folder.path) {} }
    }
    #expect(ContinuousClock.now - start >= .seconds(2))
  }

  @Test func onlyAFolderIsLocked() throws {
    try PlainFile.replace(folder("file"), with: [])
    #expect(throws: FileError(.notAFolder, folder("file"))) { try FolderLock.hold(on: folder("file")) {} }
    let error = #expect(throws: FileError.self) { try FolderLock.hold(on: folder("none")) {} }
    #expect(error?.isMissing == true)
  }
}
