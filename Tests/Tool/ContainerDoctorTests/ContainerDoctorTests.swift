import Causes
import PhoneLink
import ScreenBroadcast
import SharedMemory
import TestSupport

@testable import ContainerDoctor

@MainActor @Suite struct ContainerDoctorTests {
  private typealias Kind = Finding.Kind

  private let folder = TemporaryFolder.ofSuite()
  private let home = TestContainer()
  private let producer: FakeProducer
  private var container: AppGroupContainer { home.container }

  init() { producer = FakeProducer(home.container) }

  /// Examines a container, and expects that the examination changes no file.
  private func examine(_ container: AppGroupContainer) throws -> Diagnosis {
    let root = (container.folder as NSString).deletingLastPathComponent
    let before = try TreeSnapshot(of: root)
    let diagnosis = ContainerDoctor(container: container).examine()
    #expect(try TreeSnapshot(of: root) == before)
    return diagnosis
  }

  private func repair(_ container: AppGroupContainer) -> Diagnosis {
    ContainerDoctor(container: container).repair()
  }

  private func kinds(_ diagnosis: Diagnosis) -> [Kind] { diagnosis.findings.map(\.kind) }

  // MARK: A valid container

  @Test func aValidContainerHasNoFinding() throws {
    try producer.start()
    try producer.finish()
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [])
    #expect((diagnosis.exitCode, diagnosis.failure) == (.ok, nil))
    #expect(diagnosis.text.hasSuffix("\nHealthy."))
    let before = try TreeSnapshot(of: container.folder)
    #expect(repair(container) == diagnosis)
    #expect(try TreeSnapshot(of: container.folder) == before)
  }

  @Test func foldersThatTheFirstStartMakesAreNoFinding() throws {
    let container = try AppGroupContainer(root: folder.path, group: "group.test.viewer")
    try PrivateFolder.prepare(container.folder)
    #expect(kinds(try examine(container)) == [])
  }

  /// A handler that crashes while it starts has neither flag nor lock. Another handler than the article's never has the flag.
  @Test(arguments: [false, true]) func aCrashWithoutTheFlagIsFound(hasStarted: Bool) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "kill -KILL $$"]
    try process.run()
    process.waitUntilExit()
    let pid = process.processIdentifier
    try container.prepare()
    let facts = FactsFile(in: container)
    var launch = LaunchFact(fps: 60)
    launch.arguments = ["/bin/Upload", "--at", "3s stop"]
    facts.append(Fact(launch, at: .zero, pid: pid))
    if hasStarted {
      facts.append(Fact(StartedEvent(fps: 60), at: .zero, pid: pid))
      // It ended in order, as far as the lock says.
      #expect(kinds(try examine(container)) == [])
      _ = try ProcessLock(path: container.extensionLockFile, processID: pid)
    }
    let diagnosis = try examine(container)
    let word = hasStarted ? "broadcast" : "started"
    #expect(
      diagnosis.findings.map(\.description) == [
        "the newest broadcast crashed; process \(pid) died while it \(word)"
      ])
    #expect(kinds(diagnosis) == [.crashed] && diagnosis.exitCode == .ok)
    #expect(diagnosis.text.contains("stderr: /bin/Upload --at '3s stop'."), "\(diagnosis.text)")
    // An end is not a crash, and a start may still go on.
    facts.append(Fact(BroadcastEnd(reason: "extensionError"), at: .zero, pid: pid))
    try ProcessLock.forgetCrash(at: container.extensionLockFile)
    #expect(kinds(try examine(container)) == [])
    FactsFile(in: container).append(Fact(launch, at: .zero, pid: getpid()))
    #expect(kinds(try examine(container)) == [])
  }

  @Test func aLiveProducerIsReportedWithoutAProblem() throws {
    try producer.start()
    try producer.publish(makeFilledPicture(64, 48))
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.live])
    #expect((diagnosis.pid, diagnosis.exitCode) == (getpid(), .ok))
    #expect(diagnosis.text.contains("process \(getpid()) broadcasts"))
    #expect(diagnosis.text.contains("frames published: 1"))
    try producer.setFlag(false)
    #expect(kinds(try examine(container)) == [.changing])
    try producer.leave()
  }

  // MARK: Folders

  @Test func aFileOfThePhoneThatCannotBeReadIsReported() throws {
    try producer.start()
    try producer.finish()
    let device = container.parentFolder + "/Device"
    try PrivateFolder.prepare(device)
    #expect(kinds(try examine(container)) == [])
    try FileManager.default.createSymbolicLink(atPath: device + "/lock", withDestinationPath: "/dev/null")
    #expect(kinds(try examine(container)) == [.unreadable])
  }

  @Test func aMissingContainerIsReportedAndNotCreated() throws {
    for root in [folder.path, folder.path + "/a/b"] {
      let container = try AppGroupContainer(root: root, group: "group.test.viewer")
      for diagnosis in [try examine(container), repair(container)] {
        #expect(kinds(diagnosis) == [.containerMissing])
        #expect(diagnosis.exitCode == .notInOrder)
      }
    }
    #expect(try TreeSnapshot(of: folder.path).paths == [""])
  }

  @Test(.enabled(if: geteuid() != 0, "root can enter every folder"))
  func aFolderThatItsOwnerCannotEnterIsReported() throws {
    try changeMode(of: container.broadcastFolder, to: 0)
    let diagnosis = ContainerDoctor(container: container).examine()
    #expect(kinds(diagnosis) == [.unreadable])
    #expect(diagnosis.failure?.message.contains("the owner and mode of the file") == true)
    #expect(diagnosis.exitCode == .notPermitted)
  }

  @Test func aLinkIsReportedAndNeitherFollowedNorChanged() throws {
    let container = try AppGroupContainer(root: folder.path + "/root", group: "group.test.viewer")
    try container.prepare()
    // The link leads to a container with a stale flag.
    let target = try AppGroupContainer(root: folder.path + "/target", group: "group.test.viewer")
    try target.prepare()
    let dead = FakeProducer(target)
    try dead.start()
    dead.die()
    let before = try TreeSnapshot(of: folder.path + "/target")
    for (link, place) in [
      (container.producerLockFile, target.producerLockFile),
      (container.preferencesFile, target.preferencesFile),
      (container.broadcastFolder, target.broadcastFolder),
      (container.folder, target.folder), (folder.path + "/root", folder.path + "/target"),
    ] {
      if try FileStatus.read(at: link) != nil { try FileManager.default.removeItem(atPath: link) }
      try makeFile(of: S_IFLNK, at: link, leadingTo: place)
      for diagnosis in [try examine(container), repair(container)] {
        let finding = try #require(diagnosis.problems.first)
        #expect(finding.kind == .unreadable)
        #expect((finding.path + "/").hasPrefix(link + "/"), "\(finding.path) of \(link)")
        #expect(finding.description.contains("remove the link, or choose a path without links"))
        #expect(!diagnosis.findings.contains { $0.path.hasPrefix(folder.path + "/target") })
      }
      #expect(try TreeSnapshot(of: folder.path + "/target") == before)
      #expect(try FileStatus.read(at: link)?.kind == .symbolicLink)
      try FileManager.default.removeItem(atPath: link)
    }
  }

  @Test func aLinkInPlaceOfTheFramesIsReportedAndNotRemoved() throws {
    let frames = container.framesFile
    try makeFile(of: S_IFLNK, at: frames, leadingTo: folder("frames"))
    #expect(kinds(try examine(container)) == [.leftoverRing])
    let finding = try #require(repair(container).findings.first)
    #expect(finding.fixFailure?.contains("\(frames) is a symbolic link") == true)
    #expect(try FileStatus.read(at: frames)?.kind == .symbolicLink)
  }

  @Test func anotherKindOfFileIsReported() throws {
    try makeFile(of: S_IFIFO, at: container.preferencesFile)
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.unreadable])
    #expect(diagnosis.problems.first?.description.contains("is not a plain file; remove it") == true)
    #expect(diagnosis.verdict == nil)
    for path in [container.broadcastFolder, container.folder] {
      try FileManager.default.removeItem(atPath: path)
      try Data().write(to: URL(filePath: path))
      #expect(try examine(container).problems.map(\.path) == [path])
      #expect(kinds(repair(container)) == [.unreadable])
    }
  }

  @Test(.enabled(if: TemporaryFolder.canGiveAway, "only root can give a file away, outside a user namespace"))
  func filesOfAnotherUserAreReportedAndNotChanged() throws {
    try producer.start()
    producer.die()
    for path in [container.framesFile, container.preferencesFile, container.producerLockFile] {
      try giveAway(path)
    }
    for diagnosis in [try examine(container), repair(container)] {
      #expect(diagnosis.problems.map(\.kind) == [.unreadable, .unreadable])
      #expect(diagnosis.problems.first?.description.contains("belongs to user 12345") == true)
    }
    #expect(try FileStatus.read(at: container.framesFile) != nil)
  }

  // MARK: The broadcast

  @Test func aCrashIsReportedAndRepaired() throws {
    try producer.start()
    producer.die()
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.staleFlag, .leftoverRing])
    #expect((diagnosis.exitCode, diagnosis.pid) == (.producerCrashed, getpid()))
    #expect(diagnosis.failure?.message.contains("process \(getpid()) died while it broadcast") == true)
    #expect(diagnosis.failure?.message.contains("'broadcast doctor --fix'") == true)
    let repaired = repair(container)
    #expect(Set(repaired.fixed.map(\.kind)) == [.staleFlag, .leftoverRing])
    #expect(repaired.exitCode == .ok)
    #expect(try !producer.flag.bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive))
    #expect(try FileStatus.read(at: container.framesFile) == nil)
    #expect(kinds(try examine(container)) == [])
    // The next broadcast starts and ends normally.
    try producer.start()
    #expect(kinds(try examine(container)) == [.live])
    try producer.finish()
  }

  @Test func aCrashIsTheWorstProblem() throws {
    try producer.start()
    producer.die()
    let other = try AppGroupContainer(
      root: (container.folder as NSString).deletingLastPathComponent, group: "group.test.viewer.dev")
    try other.prepare()
    let live = FakeProducer(other)
    try live.start()
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.staleFlag, .leftoverRing, .otherGroup])
    #expect((diagnosis.exitCode, diagnosis.failure?.message.contains("(1 more)")) == (.producerCrashed, true))
    try live.finish()
  }

  @Test func aFlagWithoutAProducerIsCleared() throws {
    let container = try AppGroupContainer(root: folder.path, group: "group.test.viewer")
    for path in [container.folder, container.folder + "/Library", container.preferencesFolder] {
      try PrivateFolder.prepare(path)
    }
    let flag = KeyValueFile(container: container)
    try flag.set(true, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.unclaimedFlag])
    #expect(diagnosis.exitCode == .notInOrder)
    #expect(repair(container).fixed.map(\.kind) == [.unclaimedFlag])
    #expect(try !flag.bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive))
    #expect(kinds(try examine(container)) == [])
  }

  @Test func nothingIsChangedWhileAProducerHasTheLock() throws {
    try producer.start()
    try PlainFile.replace(container.framesFile + ".new", with: [1])
    for flag in [true, false] {
      try producer.setFlag(flag)
      let before = try TreeSnapshot(of: container.folder)
      let repaired = repair(container)
      #expect(try TreeSnapshot(of: container.folder) == before)
      #expect(kinds(repaired) == [flag ? .live : .changing])
      #expect(!repaired.text.contains("--fix' does it"))
    }
    try producer.leave()
  }

  @Test func aRepairAndAProducerExcludeEachOther() throws {
    let lock = try ProcessLock(path: container.producerLockFile)
    #expect(throws: FileError(.held(by: getpid()), container.producerLockFile)) {
      try ProcessLock.whileFree(at: container.producerLockFile) { Issue.record("it was not free") }
    }
    try lock.release()
    let wasRefused = try ProcessLock.whileFree(at: container.producerLockFile) {
      do throws(FileError) {
        _ = try ProcessLock(path: container.producerLockFile)
        return false
      } catch {
        return true
      }
    }
    #expect(wasRefused)
    try ProcessLock(path: container.producerLockFile).release()
  }

  @Test(arguments: ["rubbish", "<plist version=\"1.0\"><array/></plist>"])
  func damagedPreferencesAreReportedAndLeftToTheNextWrite(_ text: String) throws {
    try PlainFile.replace(container.preferencesFile, with: Array(text.utf8))
    for diagnosis in [try examine(container), repair(container)] {
      #expect(kinds(diagnosis) == [.damagedPreferences])
      #expect(diagnosis.exitCode == .inputOutput)
      #expect(diagnosis.findings.first?.remedy?.contains("\(container.preferencesFile).damaged") == true)
    }
    #expect(try PlainFile.read(container.preferencesFile, limit: 100) == Array(text.utf8))
    try producer.start()
    try PlainFile.replace(container.preferencesFile, with: Array(text.utf8))
    let live = try examine(container)
    #expect(kinds(live) == [.damagedPreferences, .live])
    #expect(live.pid == getpid())
    try producer.leave()
  }

  @Test func unreadableFramesOfALiveBroadcastAreReported() throws {
    try producer.start()
    let ring = try PlainFile.read(container.framesFile, limit: 1 << 20)
    var otherVersion = ring
    otherVersion[8] = 1
    var otherProcess = ring
    otherProcess[56] ^= 1
    for (bytes, words) in [
      (otherVersion, "version 1"), (otherProcess, "these are frames of process"),
      (Array(ring.dropLast(4096)), "damaged"), ([1, 2, 3], "not a frame ring"),
    ] {
      try PlainFile.replace(container.framesFile, with: bytes)
      let diagnosis = try examine(container)
      #expect(diagnosis.problems.map(\.kind) == [.wrongRing])
      #expect(diagnosis.problems.first?.description.contains(words) == true)
      #expect(diagnosis.exitCode == .inputOutput)
    }
    try FileManager.default.removeItem(atPath: container.framesFile)
    #expect(try examine(container).problems.first?.description.contains("its frames are missing") == true)
    try producer.finish()
  }

  private func makeAudio(
    _ stream: BroadcastAudioStream, in container: AppGroupContainer, pid: Int32 = getpid()
  ) throws -> AudioRingWriter {
    try AudioRingWriter(
      path: container.audioFile(for: stream),
      format: try #require(AudioRingFormat(sampleRate: 48_000, channelCount: 1, isBigEndian: false)),
      session: RingSession(id: 5, processID: pid, startTime: 1))
  }

  @Test func audioIsCheckedBesideTheFrames() throws {
    try producer.start()
    let audio = try makeAudio(.microphone, in: container)
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.live, .live])
    #expect(diagnosis.text.contains("broadcasts the audio of the microphone: 48000 Hz"))
    try audio.finish()
    let other = try makeAudio(.app, in: container, pid: 4_194_303)
    let wrong = try examine(container)
    #expect(wrong.problems.map(\.kind) == [.wrongRing])
    #expect(wrong.problems.first?.description.contains("the audio of apps of process 4194303") == true)
    try PlainFile.replace(container.audioFile(for: .app), with: [1, 2, 3])
    let damaged = try examine(container)
    #expect(damaged.problems.map(\.kind) == [.wrongRing])
    #expect(damaged.problems.first?.description.contains("not an audio ring") == true)
    try other.finish()
    try producer.finish()
  }

  @Test(arguments: [false, true], [false, true])
  func leftoversAreRemoved(_ hasAudio: Bool, _ isDamaged: Bool) throws {
    try producer.start()
    let streams = hasAudio ? BroadcastAudioStream.allCases : []
    for stream in streams { _ = try makeAudio(stream, in: container) }
    producer.die()
    try producer.setFlag(false)
    let files = [container.framesFile] + streams.map { container.audioFile(for: $0) }
    for file in files where isDamaged { try PlainFile.replace(file, with: [1, 2, 3]) }
    let unfinished = ([container.preferencesFile] + files).map { $0 + ".new" }
    for path in unfinished { try PlainFile.replace(path, with: [1]) }
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == files.map { _ in .leftoverRing } + unfinished.map { _ in .leftoverFile })
    #expect(diagnosis.exitCode == .ok)
    #expect(repair(container).fixed.count == files.count + unfinished.count)
    for path in files + unfinished { #expect(try FileStatus.read(at: path) == nil) }
    #expect(kinds(try examine(container)) == [])
  }

  @Test func aFailedRepairIsReportedWithItsReason() throws {
    try producer.start()
    producer.die()
    // This folder blocks the replacement of the preferences, which hold the flag.
    try makeFile(of: S_IFDIR, at: container.preferencesFile + ".new")
    let repaired = repair(container)
    #expect(repaired.fixed.map(\.kind) == [.leftoverRing])
    let flag = try #require(repaired.findings.first { $0.kind == .staleFlag })
    #expect(flag.fixFailure?.contains(container.preferencesFile + ".new") == true)
    #expect((repaired.exitCode, repaired.text.contains("not fixed:")) == (.producerCrashed, true))
  }

  // MARK: Path, groups

  @Test func aFileOnTheWayToTheContainerIsReportedOnce() throws {
    try Data().write(to: URL(filePath: folder.path + "/a"))
    let container = try AppGroupContainer(root: folder.path + "/a/b", group: "group.test.viewer")
    let blocked = ContainerDoctor(container: container).examine()
    #expect(kinds(blocked) == [.unreadable])
    #expect(blocked.exitCode == .cannotCreate)
  }

  @Test func aPathTooLongForASocketIsReported() throws {
    // The socket's name has nine bytes, and the path has three slashes.
    let name = "group." + String(repeating: "g", count: 20)
    for (length, kinds) in [(103, []), (104, [Kind.longPath])] {
      let padding = length - folder.path.utf8.count - name.utf8.count - 12 + 1
      let container = try AppGroupContainer(
        root: folder.path + "/" + String(repeating: "r", count: padding), group: name)
      try #require((container.folder + "/rtc_SSFD").utf8.count == length)
      try container.prepare()
      let diagnosis = try examine(container)
      #expect(self.kinds(diagnosis) == kinds)
      #expect(diagnosis.exitCode == .ok)
    }
  }

  @Test func aBroadcastInAnotherGroupIsReportedIfThisOneHasNone() throws {
    let root = (container.folder as NSString).deletingLastPathComponent
    let other = try AppGroupContainer(root: root, group: "group.test.viewer.dev")
    try other.prepare()
    try makeFile(of: S_IFDIR, at: root + "/no group")
    #expect(kinds(try examine(container)) == [])
    let theirs = FakeProducer(other)
    let ours = FakeProducer(container)
    try theirs.start()
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.otherGroup])
    #expect(diagnosis.problems.first?.path == other.folder)
    #expect(diagnosis.problems.first?.description.contains("process \(getpid())") == true)
    #expect(diagnosis.exitCode == .notInOrder)
    // The doctor repairs neither this group nor the other one.
    let before = try TreeSnapshot(of: root)
    #expect(kinds(repair(container)) == [.otherGroup])
    #expect(try TreeSnapshot(of: root) == before)
    // This app has turned its flag on, and waits for frames of the other group.
    try ours.setFlag(true)
    #expect(kinds(try examine(container)) == [.unclaimedFlag, .otherGroup])
    try ours.setFlag(false)
    // The other group has no problem.
    #expect(kinds(try examine(other)) == [.live])
    try ours.start()
    #expect(kinds(try examine(container)) == [.live])
    try ours.finish()
    theirs.die()
    #expect(kinds(try examine(container)) == [.otherGroup])
    try theirs.setFlag(false)
    #expect(kinds(try examine(container)) == [])
    // The last producer of this group crashed before the other group broadcast.
    let crashed = FakeProducer(container)
    try crashed.start()
    crashed.die()
    try crashed.setFlag(false)
    let live = FakeProducer(other)
    try live.start()
    #expect(kinds(try examine(container)).contains(.otherGroup))
    try live.finish()
    #expect(!kinds(try examine(container)).contains(.otherGroup))
    // A group without a container.
    try theirs.setFlag(true)
    try FileManager.default.removeItem(atPath: container.folder)
    #expect(kinds(try examine(container)) == [.containerMissing, .otherGroup])
  }

  // MARK: Texts

  @Test func everyKindHasAMeaningOnADevice() {
    for kind in Kind.allCases {
      #expect(kind.onDevice.hasSuffix("."))
      #expect([.problem, .notJudged].contains(kind.severity) == (kind.exitCode != .ok))
      if kind.severity == .note { #expect(!kind.isFixable) }
    }
  }

  @Test func theListHasEachKindForPeopleAndPrograms() throws {
    let (text, json) = (CollectedStream(), CollectedStream())
    try Kind.list(to: Console(messages: text.stream, errors: nil), JSONLines(to: json.stream))
    #expect(try json.text().split(separator: "\n").count == Kind.allCases.count)
    let printed = try text.text()
    for kind in Kind.allCases {
      #expect(printed.contains("\n\(kind.rawValue): ") || printed.hasPrefix(kind.rawValue))
    }
    #expect(
      printed.contains(
        "staleFlag: problem, exit code 75, repaired by --fix\n  on a device: The system killed"))
    #expect(printed.contains("noEntitlements: not judged, exit code 66\n"))
  }
}
