import ScreenBroadcast
import TestSupport

@testable import Platform

@Suite struct ProcessLockTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("producer.lock") }

  @Test func aSecondProducerIsRefusedWithTheFirstOnesProcess() throws {
    let first = try ProcessLock(path: path)
    #expect(throws: FileError(.held(by: getpid()), path)) { try ProcessLock(path: path) }
    #expect(try ProcessLock.holder(at: path) == .alive(pid: getpid()))
    try first.release()
    let second = try ProcessLock(path: path)
    #expect(throws: FileError(.held(by: getpid()), path)) { try ProcessLock(path: path) }
    try second.release()
  }

  @Test func theLockItselfNamesItsHolder() throws {
    let first = try ProcessLock(path: path)
    // The content before a producer has overwritten the ID of a crashed producer.
    for text in ["", "4711\n"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(try ProcessLock.holder(at: path) == .alive(pid: getpid()), "\(text)")
      #expect(throws: FileError(.held(by: getpid()), path)) { try ProcessLock(path: path) }
    }
    try first.release()
  }

  @Test func aLockOnTheWholeFileWithoutAnIDHasAnUnknownHolder() throws {
    let file = try PlainFile.openOrCreate(path)
    #expect(try System.tryLock(file))
    #expect(try ProcessLock.holder(at: path) == .alive(pid: 0))
    #expect(throws: FileError(.held(by: nil), path)) { try ProcessLock(path: path) }
  }

  @Test func anOrderlyEndLeavesTheLockFree() throws {
    #expect(try ProcessLock.holder(at: path) == .unheld)
    let lock = try ProcessLock(path: path)
    try lock.release()
    try lock.release()
    #expect(try ProcessLock.holder(at: path) == .unheld)
    #expect(try PlainFile.read(path, limit: 100) == [])
  }

  @Test func aProducerThatExitsWithoutAReleaseDied() throws {
    do { _ = try ProcessLock(path: path) }
    #expect(try ProcessLock.holder(at: path) == .died(pid: getpid()))
    let next = try ProcessLock(path: path)
    #expect(try ProcessLock.holder(at: path) == .alive(pid: getpid()))
    try next.release()
    #expect(try ProcessLock.holder(at: path) == .unheld)
  }

  @Test func aChildThatSharesTheFileDoesNotKeepTheLock() throws {
    var lock: ProcessLock? = try ProcessLock(path: path)
    // A child has such a copy between fork and exec.
    let copy = try #require(try descriptor(of: path).map { dup($0) })
    defer { close(copy) }
    #expect(try ProcessLock.holder(at: path) == .alive(pid: getpid()))
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try ProcessLock.holder(at: path) == .died(pid: getpid()))
  }

  private func descriptor(of path: String) throws -> Int32? {
    let name = URL(filePath: path).resolvingSymlinksInPath().path
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).first {
      // The descriptor of another test may be closed in the meantime.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == name
    }.flatMap { Int32($0) }
  }

  @Test(.needs(.python)) func aKilledProcessDied() throws {
    // Another process, because the kernel drops the lock of a process that exits.
    let process = Process()
    process.executableURL = try OptionalTool.python.required()
    process.arguments = [
      "-c",
      """
      import fcntl, os, signal, struct, sys
      f = open(sys.argv[1], "w")
      fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
      f.write(f"{os.getpid()}\\n"); f.flush(); signal.pause()
      """, path,
    ]
    try ProcessLauncher.run(process)
    let pid = process.processIdentifier
    #expect(try holds { try ProcessLock.holder(at: path) == .alive(pid: pid) })
    #expect(throws: FileError(.held(by: pid), path)) { try ProcessLock(path: path) }
    kill(pid, SIGKILL)
    process.waitUntilExit()
    #expect(try ProcessLock.holder(at: path) == .died(pid: pid))
  }

  @Test func anyContentOfTheFileIsSafe() throws {
    for text in [
      "", "\n", "x", "-1", "99999999999999999999", "½", "12 34", "12½", String(repeating: "9", count: 5000),
    ] {
      try PlainFile.replace(path, with: Array(text.utf8))
      let expected: ProcessLock.Holder = text.hasPrefix("12") ? .died(pid: 12) : .unheld
      #expect(try ProcessLock.holder(at: path) == expected, "\(text)")
    }
  }

  @Test func onlyOneOfManyConcurrentTakersSucceeds() throws {
    let path = path
    let got = Recorder<ProcessLock>()
    let refused = Recorder<Bool>()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do throws(FileError) { got.add(try ProcessLock(path: path)) } catch {
        if case .held = error.reason { refused.add(true) } else { Issue.record(error) }
      }
    }
    #expect((got.values.count, refused.values.count) == (1, 7))
  }

  @Test func aFolderOrLinkInItsPlaceIsRefused() throws {
    try makeFile(of: S_IFDIR, at: path)
    #expect(throws: FileError(.notAPlainFile, path)) { try ProcessLock(path: path) }
    #expect(throws: FileError(.notAPlainFile, path)) { try ProcessLock.holder(at: path) }
    let link = folder("link")
    try makeFile(of: S_IFLNK, at: link, leadingTo: folder("elsewhere"))
    #expect(throws: FileError(.symbolicLink, link)) { try ProcessLock(path: link) }
    #expect(!FileManager.default.fileExists(atPath: folder("elsewhere")))
  }

  @Test func keepingItFreeKeepsTheContent() throws {
    do { _ = try ProcessLock(path: path) }
    #expect(try ProcessLock.holder(at: path) == .died(pid: getpid()))
    let seen = try ProcessLock.whileFree(at: path) { () -> ProcessLock.Holder? in
      do throws(FileError) { return try ProcessLock.holder(at: path) } catch { return nil }
    }
    #expect(seen == .alive(pid: getpid()))
    #expect(try ProcessLock.holder(at: path) == .died(pid: getpid()))
  }
}
