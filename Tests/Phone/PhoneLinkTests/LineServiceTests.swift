import PhoneLink
import TestSupport

@Suite struct LineServiceTests {
  let folder = TemporaryFolder.ofSuite()

  /// Sends a line from another thread while this one serves; returns the answer.
  private func ask(
    _ line: String, of service: LineService, _ reply: @escaping @Sendable (String) -> String
  ) throws -> LineService.Answer? {
    let answer = Mutex<Result<LineService.Answer, FileError>?>(nil)
    let path = folder.path
    Thread.detachNewThread {
      let result = Result { () throws(FileError) in
        try LineService.ask(line, folder: path, name: "service", waitingAtMost: ChildProcess.waitLimit)
      }
      answer.withLock { $0 = result }
    }
    let isAnswered = try holds {
      try service.answer { line, send in send(reply(line)) }
      return answer.withLock { $0 != nil }
    }
    #expect(isAnswered)
    return try answer.withLock { $0 }?.get()
  }

  @Test func aLineIsAnswered() throws {
    let service = try LineService(folder: folder.path, name: "service")
    #expect(try ask("pause", of: service) { "\($0) done" } == .line("pause done"))
    #expect(try ask("", of: service) { "<\($0)>" } == .line("<>"))
  }

  @Test func anAnswerArrivesBeforeTheServiceContinues() throws {
    let service = try LineService(folder: folder.path, name: "service")
    let (path, arrived) = (folder.path, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      // After an error the semaphore is not signalled, and the test fails.
      do throws(FileError) {
        if try LineService.ask("stop", folder: path, name: "service") == .line("ok") { arrived.signal() }
      } catch {}
    }
    let hasArrived = Mutex<Bool?>(nil)
    let isAnswered = try holds {
      try service.answer { _, send in
        send("ok")
        let result = arrived.wait(timeout: .now() + ChildProcess.waitLimit / .seconds(1))
        hasArrived.withLock { $0 = result == .success }
      }
      return hasArrived.withLock { $0 != nil }
    }
    #expect(isAnswered && hasArrived.withLock { $0 } == true)
  }

  @Test(.sharedMachine) func silentCallersDelayNoOther() throws {
    let service = try LineService(folder: folder.path, name: "service")
    let place = try PrivateFolder.open(folder.path)
    var silent: [Caller] = []
    for _ in 0..<12 {
      silent.append(Caller(try System.connect("service", in: place, waitingAtMost: ChildProcess.waitLimit)))
      try service.answer { line, send in send(line) }
    }
    // Queued behind the silent callers, it would get no answer in time.
    #expect(try ask("pause", of: service) { "\($0) done" } == .line("pause done"))
    #expect(silent.count == 12)
  }

  private final class Caller {
    let connection: FileDescriptor
    init(_ connection: consuming FileDescriptor) { self.connection = connection }
  }

  @Test func withoutAServiceThereIsNoAnswer() throws {
    #expect(try LineService.ask("pause", folder: folder.path, name: "service") == .noService)
    #expect(try LineService.ask("pause", folder: folder.path + "/none", name: "service") == .noService)
    let service = try LineService(folder: folder.path, name: "service")
    try service.close()
    #expect(try LineService.ask("pause", folder: folder.path, name: "service") == .noService)
    try service.close()
  }

  @Test func onlyAnOrphanedSocketIsReplaced() throws {
    do {
      let first = try LineService(folder: folder.path, name: "service")
      #expect(throws: FileError(.busy, folder.path + "/service")) {
        try LineService(folder: folder.path, name: "service")
      }
      // The socket closes with the object; the name remains, as after a crash.
      _ = first
    }
    #expect(FileManager.default.fileExists(atPath: folder.path + "/service"))
    let second = try LineService(folder: folder.path, name: "service")
    #expect(try ask("a", of: second) { $0 + "b" } == .line("ab"))
  }

  @Test func aConnectionWithoutAnAnswerIsClosed() throws {
    let service = try LineService(folder: folder.path, name: "service")
    let long = String(repeating: "x", count: LineService.maximumLineLength + 1)
    let lines = Mutex(0)
    #expect(
      try ask(long, of: service) { line in
        lines.withLock { $0 += 1 }
        return line
      } == .closed)
    #expect(lines.withLock { $0 } == 0)
    // The answer is limited, too.
    #expect(try ask("a", of: service) { _ in long } == .closed)
  }

  @Test func aCallerWithoutAnAnswerGetsAnErrorEvenBehindOthers() throws {
    // The service accepts no connection, and only a few fit the backlog.
    let service = try LineService(folder: folder.path, name: "service")
    let errors = Mutex<[FileError]>([])
    let (path, asked) = (folder.path, 12)
    for _ in 0..<asked {
      Thread.detachNewThread {
        do throws(FileError) {
          _ = try LineService.ask("a", folder: path, name: "service", waitingAtMost: .seconds(1))
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
    }
    #expect(holds { errors.withLock { $0.count } == asked })
    #expect(errors.withLock { $0 }.allSatisfy { $0 == FileError(.noAnswer, path + "/service") })
    // The service is still in use.
    #expect(throws: FileError(.busy, path + "/service")) {
      try LineService(folder: path, name: "service")
    }
    withExtendedLifetime(service) {}
  }

  @Test func aSocketThatAnotherServiceReplacedIsNotRemoved() throws {
    let first = try LineService(folder: folder.path, name: "service")
    try FileManager.default.removeItem(atPath: folder.path + "/service")
    let second = try LineService(folder: folder.path, name: "service")
    try first.close()
    #expect(FileManager.default.fileExists(atPath: folder.path + "/service"))
    try second.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/service"))
  }

  @Test func aDeepFolderWorks() throws {
    let deep = folder.path + "/" + String(repeating: "d", count: 120)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: false)
    let service = try LineService(folder: deep, name: "service")
    #expect(FileManager.default.fileExists(atPath: deep + "/service"))
    try service.close()
  }

  @Test func aPlainFileWithTheNameIsNotRemoved() throws {
    try Data("kept".utf8).write(to: URL(filePath: folder.path + "/service"))
    #expect(throws: FileError.self) { try LineService(folder: folder.path, name: "service") }
    #expect(FileManager.default.contents(atPath: folder.path + "/service") == Data("kept".utf8))
  }
}
