import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import Testing

@testable import ContainerDoctor

@MainActor @Suite struct ContainerDoctorTests {
  private typealias Kind = Finding.Kind

  private let folder = TemporaryFolder.ofSuite()
  private let home = TestContainer()
  private let producer: FakeProducer
  private var container: AppGroupContainer { home.container }

  init() { producer = FakeProducer(home.container) }

  /// The findings that every container has.
  private static let usual: Set<Kind> = [.fileSystem, .diskFileSystem, .remoteFileSystem]
  private static let screens = ContainerDoctor.Screens(
    usual: PixelSize(width: 886, height: 1918), largest: PixelSize(width: 2064, height: 2752))
  private static let memory = FileSystemStatus(place: .memory, name: "tmpfs", freeByteCount: 1 << 30)

  /// Examines and expects that the examination changes no file.
  private func examine(
    _ container: AppGroupContainer, on fileSystem: FileSystemStatus = memory
  ) throws -> Diagnosis {
    let root = (container.folder as NSString).deletingLastPathComponent
    let before = try TreeSnapshot(of: root)
    let diagnosis = ContainerDoctor(container: container, screens: Self.screens) { _ in fileSystem }.examine()
    #expect(try TreeSnapshot(of: root) == before)
    return diagnosis
  }

  private func repair(_ container: AppGroupContainer) -> Diagnosis {
    ContainerDoctor(container: container, screens: Self.screens) { _ in Self.memory }.repair()
  }

  private func kinds(_ diagnosis: Diagnosis) -> [Kind] {
    diagnosis.findings.map(\.kind).filter { !Self.usual.contains($0) }
  }

  private func mode(_ path: String) throws -> UInt32? { try FileStatus.read(at: path)?.permissions }

  // MARK: A valid container

  @Test func aValidContainerHasNoFindingButItsFileSystem() throws {
    try producer.start()
    try producer.finish()
    let diagnosis = try examine(container)
    #expect(diagnosis.findings.map(\.kind) == [.fileSystem])
    #expect(diagnosis.exitCode == .ok)
    #expect(diagnosis.failure == nil)
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

  @Test func aLiveProducerIsReportedWithoutAProblem() throws {
    try producer.start()
    try producer.publish(makeFilledPicture(64, 48))
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.live])
    #expect(diagnosis.pid == getpid())
    #expect(diagnosis.exitCode == .ok)
    #expect(diagnosis.text.contains("process \(getpid()) broadcasts"))
    #expect(diagnosis.text.contains("frames published: 1"))
    try producer.setFlag(false)
    #expect(kinds(try examine(container)) == [.changing])
    try producer.leave()
  }

  // MARK: Existence, owners, modes, links

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

  @Test(arguments: [0o755, 0o770, 0o500] as [UInt32])
  func anOpenOrUnusableFolderIsRestricted(_ mode: UInt32) throws {
    for path in [container.folder, container.folder + "/Library", container.broadcastFolder] {
      try changeMode(of: path, to: mode)
      let diagnosis = try examine(container)
      #expect(diagnosis.problems.map(\.kind) == [.folderMode])
      #expect(diagnosis.problems.first?.path == path)
      #expect(diagnosis.exitCode == .notPermitted)
      let repaired = repair(container)
      #expect(repaired.fixed.map(\.path) == [path])
      #expect(repaired.exitCode == .ok)
      #expect(try self.mode(path) == 0o700)
      #expect(kinds(try examine(container)) == [])
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root can enter every folder"))
  func theContentOfAFolderWithoutPermissionsIsRepairedToo() throws {
    try producer.start()
    producer.die()
    try changeMode(of: container.preferencesFile, to: 0)
    for path in [container.broadcastFolder, container.folder + "/Library", container.folder] {
      try changeMode(of: path, to: 0)
    }
    let diagnosis = ContainerDoctor(container: container, screens: Self.screens).examine()
    #expect(kinds(diagnosis).contains(.folderMode) && kinds(diagnosis).contains(.unreadable))
    let repaired = repair(container)
    #expect(repaired.exitCode == .ok)
    #expect(repaired.fixed.filter { $0.kind == .folderMode }.count == 3)
    #expect(repaired.fixed.contains { $0.kind == .staleFlag })
    #expect(kinds(try examine(container)) == [])
  }

  @Test func anOpenFileIsRestricted() throws {
    try producer.start()
    try producer.finish()
    for path in [container.preferencesFile, container.producerLockFile] {
      try changeMode(of: path, to: 0o644)
    }
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.fileMode, .fileMode])
    #expect(diagnosis.exitCode == .ok)
    #expect(
      Set(repair(container).fixed.map(\.path)) == [container.preferencesFile, container.producerLockFile])
    #expect(try mode(container.preferencesFile) == 0o600)
    #expect(kinds(try examine(container)) == [])
  }

  @Test func aWorldWritableRootIsReportedUnlessItIsSticky() throws {
    let root = folder.path + "/root"
    let container = try AppGroupContainer(root: root + "/", group: "group.test.viewer")
    try container.prepare()
    try changeMode(of: root, to: 0o777)
    #expect(kinds(try examine(container)) == [.openRoot])
    #expect(kinds(repair(container)) == [.openRoot])
    #expect(try mode(root) == 0o777)
    try changeMode(of: root, to: 0o1777)
    #expect(kinds(try examine(container)) == [])
  }

  @Test func aLinkIsReportedAndNeitherFollowedNorChanged() throws {
    let container = try AppGroupContainer(root: folder.path + "/root", group: "group.test.viewer")
    try container.prepare()
    // The link leads to a container with a stale flag and open modes.
    let target = try AppGroupContainer(root: folder.path + "/target", group: "group.test.viewer")
    try target.prepare()
    let dead = FakeProducer(target)
    try dead.start()
    dead.die()
    try changeMode(of: target.broadcastFolder, to: 0o755)
    try changeMode(of: target.framesFile, to: 0o644)
    let before = try TreeSnapshot(of: folder.path + "/target")
    for (link, place) in [
      (container.framesFile, target.framesFile), (container.producerLockFile, target.producerLockFile),
      (container.preferencesFile, target.preferencesFile),
      (container.broadcastFolder, target.broadcastFolder),
      (container.folder, target.folder), (folder.path + "/root", folder.path + "/target"),
    ] {
      if try FileStatus.read(at: link) != nil { try FileManager.default.removeItem(atPath: link) }
      try makeFile(of: S_IFLNK, at: link, leadingTo: place)
      let diagnosis = try examine(container)
      #expect(diagnosis.findings.contains { $0.kind == .symbolicLink && $0.path == link })
      #expect(!diagnosis.findings.contains { $0.path.hasPrefix(folder.path + "/target") })
      #expect(diagnosis.exitCode == .notPermitted)
      let repaired = repair(container)
      #expect(repaired.problems.contains { $0.kind == .symbolicLink && $0.path == link })
      #expect(try TreeSnapshot(of: folder.path + "/target") == before)
      #expect(try FileStatus.read(at: link)?.kind == .symbolicLink)
    }
  }

  @Test func anotherKindOfFileIsReported() throws {
    try makeFile(of: S_IFDIR, at: container.framesFile)
    try makeFile(of: S_IFIFO, at: container.preferencesFile)
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.notAPlainFile, .notAPlainFile])
    #expect(diagnosis.exitCode == .cannotCreate)
    #expect(diagnosis.verdict == nil)
    try FileManager.default.removeItem(atPath: container.broadcastFolder)
    try Data().write(to: URL(filePath: container.broadcastFolder))
    #expect(kinds(try examine(container)) == [.notAFolder, .notAPlainFile])
    try FileManager.default.removeItem(atPath: container.folder)
    try Data().write(to: URL(filePath: container.folder))
    #expect(kinds(try examine(container)) == [.notAFolder])
    #expect(kinds(repair(container)) == [.notAFolder])
  }

  @Test func aFolderInPlaceOfTheControlSocketIsReported() throws {
    try makeFile(of: S_IFDIR, at: container.controlSocket)
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.notASocket])
    #expect(diagnosis.exitCode == .ok)
    try FileManager.default.removeItem(atPath: container.controlSocket)
    let service = try LineService(
      folder: container.broadcastFolder, name: AppGroupContainer.controlSocketName)
    #expect(kinds(try examine(container)).isEmpty)
    try service.close()
  }

  @Test(.enabled(if: TemporaryFolder.canGiveAway, "only root can give a file away, outside a user namespace"))
  func filesOfAnotherUserAreReportedAndNotChanged() throws {
    let dead = FakeProducer(container)
    try dead.start()
    dead.die()
    for path in [container.framesFile, container.broadcastFolder, container.folder] {
      try changeMode(of: path, to: 0o755)
      try giveAway(path)
      let diagnosis = try examine(container)
      #expect(diagnosis.problems.contains { $0.kind == .foreignOwner && $0.path == path })
      let repaired = repair(container)
      #expect(repaired.problems.contains { $0.kind == .foreignOwner && $0.path == path })
      #expect(try mode(path) == 0o755)
      #expect(try FileStatus.read(at: container.framesFile) != nil)
    }
    #expect(kinds(try examine(container)) == [.foreignOwner])
    #expect(try examine(container).exitCode == .notPermitted)
  }

  // MARK: The broadcast

  @Test func aCrashIsReportedAndRepaired() throws {
    try producer.start()
    producer.die()
    let diagnosis = try examine(container)
    #expect(kinds(diagnosis) == [.staleFlag, .leftoverRing])
    #expect(diagnosis.exitCode == .producerCrashed)
    #expect(diagnosis.pid == getpid())
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
    try changeMode(of: container.folder, to: 0o755)
    let diagnosis = try examine(container)
    #expect(diagnosis.exitCode == .producerCrashed)
    #expect(diagnosis.failure?.message.contains("(1 more)") == true)
    #expect(repair(container).exitCode == .ok)
    #expect(kinds(try examine(container)) == [])
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
    try changeMode(of: container.folder, to: 0o755)
    try changeMode(of: container.framesFile, to: 0o644)
    try PlainFile.replace(container.framesFile + ".new", with: [1])
    for flag in [true, false] {
      try producer.setFlag(flag)
      let before = try TreeSnapshot(of: container.folder)
      let repaired = repair(container)
      #expect(try TreeSnapshot(of: container.folder) == before)
      #expect(repaired.fixed.isEmpty)
      #expect(repaired.exitCode == .notPermitted)
      #expect(
        repaired.findings.compactMap(\.fixFailure)
          == [String](repeating: "nothing is changed while process \(getpid()) has the broadcast", count: 2)
      )
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

  @Test func thePathOfARemedyIsOneWordOfItsCommand() {
    #expect(Finding(.fileMode, "/tmp/it's; id", "").remedy == "chmod 0600 '/tmp/it'\\''s; id'")
    #expect(Finding(.fileMode, "/tmp/a", "").remedy == "chmod 0600 /tmp/a")
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
    #expect(try examine(container).problems.first?.description.contains("its frames are not there") == true)
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
    #expect(
      diagnosis.findings.contains {
        $0.description.contains("broadcasts the audio of the microphone: 48000 Hz")
      })
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
    #expect(repaired.exitCode == .producerCrashed)
    #expect(repaired.text.contains("not fixed:"))
  }

  // MARK: Room, path, groups

  @Test func theFileSystemAndItsRoomAreChecked() throws {
    var disk = FileSystemStatus(place: .disk, name: "ext4", freeByteCount: 1 << 30)
    #expect(try examine(container, on: disk).findings.map(\.kind) == [.diskFileSystem])
    disk.place = .remote
    #expect(try examine(container, on: disk).findings.map(\.kind) == [.remoteFileSystem])
    var status = Self.memory
    let rooms = [(20 << 20, .lowRoom), (6 << 20, .noRoom), (0, .noRoom)] as [(UInt64, Kind)]
    for (free, kind) in rooms {
      status.freeByteCount = free
      let diagnosis = try examine(container, on: status)
      #expect(diagnosis.findings.map(\.kind) == [.fileSystem, kind])
      #expect(diagnosis.exitCode == (kind == .noRoom ? .cannotCreate : .ok))
    }
    try producer.start()
    #expect(try examine(container, on: status).findings.map(\.kind) == [.live, .fileSystem, .lowRoom])
    try producer.finish()
    status = Self.memory
    status.takesFiles = false
    #expect(try examine(container, on: status).problems.map(\.kind) == [.noRoom])
    status.takesFiles = true
    status.isReadOnly = true
    #expect(try examine(container, on: status).problems.map(\.kind) == [.noRoom])
  }

  @Test func theFileSystemOfAMissingContainerIsThatOfItsNearestParent() throws {
    let container = try AppGroupContainer(root: folder.path + "/a/b", group: "group.test.viewer")
    let diagnosis = ContainerDoctor(container: container, screens: Self.screens).examine()
    let finding = try #require(diagnosis.findings.first { Self.usual.contains($0.kind) })
    #expect(finding.path == folder.path)
    // A file in place of the folder is reported once.
    try Data().write(to: URL(filePath: folder.path + "/a"))
    let blocked = ContainerDoctor(container: container, screens: Self.screens).examine()
    #expect(kinds(blocked) == [.unreadable])
    #expect(blocked.exitCode == .cannotCreate)
  }

  @Test func aPathTooLongForASocketIsReported() throws {
    // The socket's name has nine bytes, and there are three slashes.
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
    // This app has turned its flag on and waits for frames of the other group.
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
      #expect([.problem, .unknown].contains(kind.severity) == (kind.exitCode != .ok))
      if kind.severity == .note { #expect(!kind.isFixable) }
    }
  }
}
