import PhoneLink
import ScreenBroadcast
import SharedMemory
import TestSupport

@testable import ContainingApp

@MainActor @Suite(.serialized, .sharedMachine) struct BroadcastControlTests {
  /// A clock that only a test advances. The control reads it at the start of each wait, and after each check.
  private final class CountedClock: MonotonicClock {
    private let clock = TestClock()
    private let count = Atomic(0)

    /// The number of times that the control has read the clock.
    var readings: Int { count.load(ordering: .relaxed) }
    var now: MonotonicTime {
      count.add(1, ordering: .relaxed)
      return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }
    func advance(by duration: Duration) { clock.advance(by: duration) }
    func wait(until deadline: MonotonicTime) { clock.wait(until: deadline) }
    func sleep(until deadline: MonotonicTime, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// The control of a container, and its messages. Its timeouts use a clock that only a test advances, because on a loaded
  /// machine the main actor may resume a task minutes later.
  @MainActor private struct Rig {
    let container: AppGroupContainer
    let producer: FakeProducer
    let view = RecordingView()
    let clock = CountedClock()
    let control: BroadcastControl

    init(_ container: AppGroupContainer) {
      self.container = container
      producer = FakeProducer(container)
      control = BroadcastControl(container: container, clock: clock) { [view] in view.show($0) }
    }

    func isFlagOn() throws -> Bool {
      try producer.flag.bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    }

    /// Waits until the control has checked twice without success, and waits on.
    func waits() async -> Bool { await eventually { clock.readings >= 3 } }

    /// Waits until the app has turned the flag off.
    func flagGoesOff() async -> Bool {
      await eventually { () -> Bool in
        do { return try !isFlagOn() } catch { return false }
      }
    }
  }

  private let home = TestContainer()
  private var container: AppGroupContainer { home.container }
  private let rig: Rig

  init() { rig = Rig(home.container) }

  /// Returns the process ID that a shell writes into a file.
  private func processID(in file: String) async throws -> Int32 {
    var pid: Int32?
    #expect(
      await eventually {
        let text = FileManager.default.contents(atPath: file) ?? Data()
        pid = Int32(String(decoding: text, as: UTF8.self).dropLast())
        return pid != nil
      })
    return try #require(pid)
  }

  private func startShell(_ script: String) async throws {
    try await rig.control.start(makeLaunch(script, in: container), within: .seconds(60))
  }

  @discardableResult
  private func failure(
    of call: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ProgramFailure? {
    await #expect(throws: ProgramFailure.self, sourceLocation: sourceLocation) { try await call() }
  }

  private func stopOrStatus(_ isStop: Bool) async throws {
    if isStop { return try await rig.control.stop(within: .zero) }
    try await rig.control.status(within: .zero)
  }

  @Test func theLogOfALaunchIsClosedWhenTheStartHasEnded() async throws {
    for _ in 0..<3 { await failure { try await startShell("exit 1") } }
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
      // The descriptor of the folder itself is closed by now.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
    }
    #expect(files.filter { $0.hasPrefix(container.producerLogFile) } == [])
  }

  @Test func startReturnsWhenTheLaunchedProcessBroadcasts() async throws {
    async let start: Void = startShell("echo $$ > '\(container.folder)/pid'; exec sleep 3600")
    let process = try await processID(in: container.folder + "/pid")
    try rig.producer.start(processID: process)
    try await start
    #expect(rig.view.statuses == [true])
    #expect(rig.view.notices.first?.hasPrefix("The producer is process \(process); ") == true)
    kill(process, SIGKILL)
    try rig.producer.finish()
  }

  /// An extension whose handler has no flag takes a separate lock when `broadcastStarted` has returned.
  @Test func aHandlerWithoutTheFlagIsActiveWhileItsProcessHoldsTheLock() async throws {
    let process = Process()
    let ended = container.folder + "/ended"
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "trap 'touch \"\(ended)\"; exit 0' TERM; while :; do sleep 0.02; done"]
    try ProcessLauncher.run(process)
    let lock = try ProcessLock(path: container.extensionLockFile, processID: process.processIdentifier)
    try await rig.control.status(within: .zero)
    #expect(rig.view.statuses == [true])
    let refusal = await failure { try await startShell("exit 0") }
    #expect(refusal?.exitCode == .cannotCreate)
    async let stop: Void = rig.control.stop(within: .seconds(60))
    #expect(await eventually { FileManager.default.fileExists(atPath: ended) })
    #expect(rig.view.statuses == [true])
    try lock.release()
    try await stop
    #expect(try (rig.view.statuses, rig.isFlagOn()) == ([true, false], false))
  }

  @Test func theCrashOfAHandlerWithoutTheFlagIsReportedUntilAStop() async throws {
    do { _ = try ProcessLock(path: container.extensionLockFile, processID: 4321) }
    for isStop in [false, true] {
      let failure = await failure { try await stopOrStatus(isStop) }
      #expect((failure?.exitCode, failure?.message.contains("(process 4321)")) == (.producerCrashed, true))
    }
    try await rig.control.status(within: .zero)
    #expect((rig.view.statuses, rig.view.messages.contains(.crashed(pid: 4321))) == ([false, false], true))
  }

  @Test func aBroadcastShorterThanACheckIsNotAFailure() async throws {
    let lock = container.producerLockFile
    try await startShell("echo $$ >'\(lock)'; : >'\(lock)'")
    #expect((rig.view.notices, rig.view.statuses) == (["The broadcast is already over."], [false]))
  }

  @Test func aProgramThatBeginsNoBroadcastIsAFailure() async throws {
    try rig.producer.start()
    try rig.producer.finish()
    let failure = await failure { try await startShell("exit 0") }
    #expect(failure?.exitCode == .nothingCame)
    #expect(failure?.message.contains("ended without a broadcast") == true)
  }

  @Test func theLogOfAProgramThatWritesWithoutEndKeepsItsLimit() async throws {
    let (written, truncated) = (container.folder + "/written", container.folder + "/truncated")
    let start = Task {
      try await startShell(
        """
        yes 0123456789 | head -c 50000000; touch '\(written)'
        until [ -e '\(truncated)' ]; do sleep 0.02; done
        echo; echo 'producer: The end.'; exit 73
        """)
    }
    // Text that is written while the log is truncated can be lost, so the last line is written after the truncation, which
    // happens on the main actor.
    #expect(
      await eventually {
        let size = (try? FileStatus.read(at: container.producerLogFile))?.byteCount ?? .max
        return FileManager.default.fileExists(atPath: written) && size < AppGroupContainer.logLimit
      })
    try Data().write(to: URL(filePath: truncated))
    await #expect(throws: ProgramFailure(.cannotCreate, "The end.")) { try await start.value }
    let log = try Data(contentsOf: URL(filePath: container.producerLogFile))
    #expect(log.count < AppGroupContainer.logLimit)
    #expect(String(decoding: log.suffix(20), as: UTF8.self).hasSuffix("producer: The end.\n"))
  }

  /// A line that is written within the cut is lost.
  @Test(arguments: [(1.0, false, true), (1, true, false), (4, true, true)])
  func aLogIsCutInAMomentInWhichNobodyWrites(mebibytes: Double, isNew: Bool, isCut: Bool) throws {
    let path = container.producerLogFile
    let size = Int(mebibytes * Double(AppGroupContainer.logLimit))
    try (Data(repeating: 10, count: size - 4) + Data("end\n".utf8)).write(to: URL(filePath: path))
    let time = Date(timeIntervalSinceNow: isNew ? 60 : -1)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    try container.limitLog()
    let log = try Data(contentsOf: URL(filePath: path))
    #expect((log.count < size) == isCut && String(decoding: log.suffix(4), as: UTF8.self) == "end\n")
  }

  @Test func aProducerThatDoesNotBroadcastInTimeIsEnded() async throws {
    let launch = makeLaunch(
      """
      trap 'touch "\(container.folder)/ended"; exit 0' TERM
      touch '\(container.folder)/launched'
      while :; do sleep 0.02; done
      """, in: container)
    let start = Task { try await rig.control.start(launch, within: .seconds(2)) }
    #expect(await eventually { FileManager.default.fileExists(atPath: container.folder + "/launched") })
    rig.clock.advance(by: .seconds(2))
    let failure = await #expect(throws: ProgramFailure.self) { try await start.value }
    #expect(failure?.exitCode == .nothingCame)
    #expect(failure?.message.contains("did not start a broadcast within 2 s and was terminated") == true)
    #expect(await eventually { FileManager.default.fileExists(atPath: container.folder + "/ended") })
  }

  @Test func aProducerThatIgnoresTheSignalsIsKilled() async throws {
    let file = container.folder + "/launched"
    let launch = makeLaunch("trap '' TERM; echo $$ >'\(file)'; while :; do sleep 0.02; done", in: container)
    let start = Task { try await rig.control.start(launch, within: .seconds(2)) }
    let process = try await processID(in: file)
    #expect(
      await eventually {
        rig.clock.advance(by: .seconds(2))
        return kill(process, 0) != 0
      })
    await #expect(throws: ProgramFailure.self) { try await start.value }
  }

  @Test func aSecondStartDuringABroadcastIsRefused() async throws {
    try rig.producer.start()
    let failure = await failure { try await startShell("exit 0") }
    #expect((failure?.exitCode, failure?.message.contains("(process \(getpid()))")) == (.cannotCreate, true))
    #expect(try rig.isFlagOn())
    try rig.producer.finish()
  }

  @Test func startWaitsForAnExtensionThatIsExiting() async throws {
    try rig.producer.start()
    try rig.producer.setFlag(false)
    async let start: Void = startShell(
      "touch '\(container.folder)/launched'; echo $$ >'\(container.producerLockFile)'")
    let hasLaunched = { FileManager.default.fileExists(atPath: container.folder + "/launched") }
    #expect(await rig.waits() && !hasLaunched())
    try rig.producer.leave()
    try await start
    #expect(hasLaunched())
  }

  /// If the producer is starting, it turns the flag on again.
  @Test(arguments: [false, true])
  func stopTurnsTheFlagOffAndWaitsUntilTheProducerHasExited(isStarting: Bool) async throws {
    try rig.producer.start()
    async let stop: Void = rig.control.stop(within: .seconds(60))
    #expect(await rig.flagGoesOff())
    if isStarting { try rig.producer.setFlag(true) }
    #expect(await rig.flagGoesOff() && rig.view.statuses.isEmpty)
    try rig.producer.leave()
    try await stop
    #expect(rig.view.statuses == [false])
  }

  @Test func aProducerThatDoesNotExitIsAFailure() async throws {
    try rig.producer.start()
    let failure = await failure { try await rig.control.stop(within: .zero) }
    #expect(failure?.exitCode == .nothingCame)
    #expect(try !rig.isFlagOn())
    try rig.producer.leave()
  }

  @Test func stopWithoutABroadcastIsDone() async throws {
    try await rig.control.stop(within: .zero)
    #expect(rig.view.statuses == [false])
  }

  /// Only a stop clears the flag.
  @Test(arguments: [true, false]) func stopAndStatusReportACrash(isStop: Bool) async throws {
    try rig.producer.start()
    rig.producer.die()
    let failure = await failure { try await stopOrStatus(isStop) }
    #expect(failure?.exitCode == .producerCrashed)
    #expect(try rig.view.messages.contains(.crashed(pid: getpid())) && rig.isFlagOn() == !isStop)
  }

  @Test func anUnclaimedFlagIsTurnedOff() async throws {
    try rig.producer.setFlag(true)
    try await rig.control.status(within: .zero)
    #expect(rig.view.statuses == [false])
    #expect(rig.view.notices.first?.contains("no producer is broadcasting") == true)
    try await rig.control.stop(within: .zero)
    #expect(try !rig.isFlagOn())
  }

  @Test func statusReportsWhetherABroadcastIsActive() async throws {
    try await rig.control.status(within: .zero)
    try rig.producer.start()
    try await rig.control.status(within: .zero)
    try rig.producer.setFlag(false)
    try await rig.control.status(within: .zero)
    try rig.producer.leave()
    #expect(rig.view.statuses == [false, true, false])
    #expect(
      rig.view.notices == [
        "Process \(getpid()) broadcasts.", "Process \(getpid()) is starting or ending a broadcast.",
      ])
  }

  @Test func statusWaitsForABroadcast() async throws {
    async let status: Void = rig.control.status(within: .seconds(60))
    #expect(await rig.waits() && rig.view.statuses.isEmpty)
    try rig.producer.start()
    try await status
    #expect(rig.view.statuses == [true])
    try rig.producer.finish()
    let control = BroadcastControl(container: container) { _ in }
    let failure = await failure { try await control.status(within: .milliseconds(50)) }
    #expect(failure?.exitCode == .nothingCame)
  }

  @Test func aDamagedFlagIsAFailure() async throws {
    try Data("no list".utf8).write(to: URL(fileURLWithPath: container.preferencesFile))
    let failure = await failure { try await rig.control.status(within: .zero) }
    #expect((failure?.exitCode, failure?.message.contains("is not a property list")) == (.inputOutput, true))
  }
}
