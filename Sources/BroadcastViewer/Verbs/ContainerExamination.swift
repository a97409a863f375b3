import CommandLineSupport
import Foundation
import ScreenBroadcast
import SharedMemory

/// One look at a container, from the outside in. It opens files for reading only, and never behind a link.
struct ContainerExamination {
  /// Tells on what file system a path is.
  typealias FileSystemLook = (String) throws(StorageError) -> FileSystemStatus

  /// What a look at a path came to, as far as what lies below it is concerned.
  private enum Look {
    /// It is what it must be.
    case sound
    /// Nothing is there.
    case missing
    /// Something else is there, or it cannot be looked at.
    case blocked
  }

  private let container: AppGroupContainer
  private let root: String
  private let fileSystem: FileSystemLook
  private let memoryKills: MemoryKillFile
  private var findings: [Finding] = []
  private var flag: Bool?
  private var holder: ProducerLock.Holder?

  init(container: AppGroupContainer, fileSystem: @escaping FileSystemLook) {
    self.container = container
    self.fileSystem = fileSystem
    memoryKills = MemoryKillFile(container: container)
    var root = String(container.folder.dropLast(container.group.utf8.count + 1))
    // With a slash behind it, a link would be followed.
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root.isEmpty ? "/" : root
  }

  /// What was found so far.
  var diagnosis: Diagnosis {
    Diagnosis(container: container.folder, flag: flag, holder: holder, findings: findings)
  }

  /// Looks at everything.
  mutating func run() {
    let isRootSound = lookAtRoot() == .sound
    if isRootSound { lookAtContainer() }
    lookAtFileSystem()
    lookAtPathLength()
    if isRootSound { lookAtOtherGroups() }
  }

  private mutating func add(
    _ kind: Finding.Kind, _ path: String, _ description: String, remedy: String? = nil
  ) {
    findings.append(Finding(kind, path, description, remedy: remedy))
  }

  // MARK: Folders and files

  private mutating func lookAtRoot() -> Look {
    let look = lookAt(root, mustBe: .folder, mayBeRoots: true) { examination, status in
      if status.permissions & 0o002 != 0, status.permissions & 0o1000 == 0 {
        examination.add(
          .openRoot, examination.root,
          "others can exchange the containers in this folder: its mode is \(Self.octal(status.permissions))",
          remedy: "chmod o-w '\(examination.root)', or choose another --container")
      }
    }
    if look == .missing { addMissing() }
    return look
  }

  private mutating func addMissing() {
    add(
      .containerMissing, container.folder,
      "the app group \(container.group) has no container in \(root)",
      remedy: "check --container and the app group; the first start or watch makes the container")
  }

  /// What is at the places of a container.
  private struct Places {
    var preferences: Look
    var lock: Look
    var ring: Look
    /// The one frame of the article's layout.
    var article: Look
    /// Files under the names that writers give what is not finished.
    var unfinished: [String]
  }

  private mutating func lookAtContainer() {
    let places = lookAtPlaces()
    lookAtBroadcast(places)
    for path in places.unfinished where !diagnosis.hasProducer && isStillThere(path) {
      add(
        .leftoverFile, path, "a process died while it wrote this file",
        remedy: "nothing need be done, as the next write replaces it; or remove it")
    }
  }

  /// Whether a file that was just seen was not the one of a writer at work.
  private func isStillThere(_ path: String) -> Bool {
    do { return try FileStatus.look(at: path) != nil } catch { return true }
  }

  private mutating func lookAtPlaces() -> Places {
    let folder = lookAtFolder(container.folder, in: .sound)
    if folder == .missing { addMissing() }
    let library = lookAtFolder(container.folder + "/Library", in: folder)
    let preferences = lookAtFolder(container.preferencesFolder, in: library)
    let caches = lookAtFolder(container.folder + "/Library/Caches", in: library)
    let broadcast = lookAtFolder(container.broadcastFolder, in: caches)
    let logFile = ProducerLaunch.logFile(of: container)
    _ = lookAtFile(logFile, in: broadcast)
    if lookAtFile(memoryKills.path, in: broadcast) == .sound { judgeMemoryKill() }
    return Places(
      preferences: lookAtFile(container.preferencesFile, in: preferences),
      lock: lookAtFile(container.producerLockFile, in: broadcast),
      ring: lookAtFile(container.framesFile, in: broadcast),
      article: lookAtFile(container.articleFile, in: broadcast),
      unfinished: [
        (container.preferencesFile, preferences), (container.framesFile, broadcast),
        (container.articleFile, broadcast), (logFile, broadcast), (memoryKills.path, broadcast),
      ].compactMap { file, folder in
        lookAtFile(file + ".new", in: folder, judgesMode: false) == .sound ? file + ".new" : nil
      })
  }

  private mutating func lookAtFolder(_ path: String, in parent: Look) -> Look {
    guard parent == .sound else { return parent }
    return lookAt(path, mustBe: .folder) { examination, status in
      guard status.permissions & 0o777 != 0o700 else { return }
      let harm =
        status.permissions & 0o077 == 0 ? "this user cannot use it" : "other users can see what is in it"
      examination.add(
        .folderMode, path, "the folder has the mode \(Self.octal(status.permissions)) and not 0700: \(harm)",
        remedy: "chmod 0700 '\(path)'; the next start does it, too")
    }
  }

  private mutating func lookAtFile(_ path: String, in parent: Look, judgesMode: Bool = true) -> Look {
    guard parent == .sound else { return parent }
    return lookAt(path, mustBe: .plainFile) { examination, status in
      guard judgesMode, status.permissions & 0o777 != 0o600 else { return }
      examination.add(
        .fileMode, path, "the file has the mode \(Self.octal(status.permissions)) and not 0600",
        remedy: "chmod 0600 '\(path)'")
    }
  }

  private mutating func lookAt(
    _ path: String, mustBe kind: FileStatus.Kind, mayBeRoots: Bool = false,
    whenSound: (inout ContainerExamination, FileStatus) -> Void
  ) -> Look {
    let status: FileStatus
    do throws(StorageError) {
      guard let found = try FileStatus.look(at: path) else { return .missing }
      status = found
    } catch {
      addUnreadable(path, error)
      return .blocked
    }
    if status.kind == .symbolicLink {
      add(
        .symbolicLink, path, "a symbolic link stands here, and links are never followed",
        remedy: "remove the link, or name the folder it points to")
    } else if status.kind != kind {
      let isFolder = kind == .folder
      add(
        isFolder ? .notAFolder : .notAPlainFile, path,
        isFolder
          ? "something else stands where a folder must be" : "something else stands where a file must be",
        remedy: "move it away")
    } else if !status.isOwn, !(mayBeRoots && status.owner == 0) {
      add(
        .foreignOwner, path, "it belongs to user \(status.owner), not to this one",
        remedy: "run both programs as the same user, or choose another --container")
    } else {
      whenSound(&self, status)
      return .sound
    }
    return .blocked
  }

  private mutating func addUnreadable(_ path: String, _ error: some CodedError) {
    findings.append(
      Finding(
        .unreadable, path, "it cannot be looked at: \(error)",
        remedy: "check owner and mode of it and of its folders",
        exitCode: ExitCode(errno: error.code)))
  }

  // MARK: The broadcast

  private mutating func lookAtBroadcast(_ places: Places) {
    // What is read one after the other belongs together only when the first still holds after the last.
    let start = findings.count
    for attempt in 1...5 {
      readFlagAndHolder(places)
      let (flagBefore, holderBefore) = (flag, holder)
      judgeFlag()
      judgeRing(at: places.ring)
      judgeArticle(at: places.article)
      judgeProcess()
      let judged = Array(findings[start...])
      readFlagAndHolder(places)
      findings.removeSubrange(start...)
      let isSettled = (flag, holder) == (flagBefore, holderBefore)
      // A producer that follows a dead one finds its flag and frames, and is done with them in a moment; and a program
      // may rewrite the preferences in place.
      let mayPass = judged.contains { [.wrongRing, .damagedPreferences].contains($0.kind) }
      if attempt == 5 || (isSettled && !mayPass) {
        findings += judged
        return
      }
      if mayPass { Thread.sleep(forTimeInterval: 0.02) }
    }
  }

  private mutating func readFlagAndHolder(_ places: Places) {
    (flag, holder) = (nil, nil)
    if places.lock != .blocked {
      do throws(StorageError) { holder = try ProducerLock.holder(at: container.producerLockFile) } catch {
        addUnreadable(container.producerLockFile, error)
      }
    }
    guard places.preferences != .blocked else { return }
    do throws(KeyValueFile.Failure) {
      flag = try KeyValueFile(container: container).bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      switch error {
      case .storage(let error): addUnreadable(container.preferencesFile, error)
      case .damaged: addDamagedPreferences()
      }
    }
  }

  private mutating func addDamagedPreferences() {
    let dead = if case .died(let pid) = holder { "; process \(pid) died while it broadcast" } else { "" }
    add(
      .damagedPreferences, container.preferencesFile,
      "this is no property list of keys and values, so the flag cannot be read\(dead)",
      remedy: "nothing need be done: the next write ('consumer start' or 'stop') sets it aside as "
        + "'\(container.preferencesFile).damaged' and begins a new one")
  }

  private mutating func judgeFlag() {
    let mending = "clear the flag: 'consumer stop' does it, and so does the next start"
    switch (flag, holder) {
    case (true, .died(let pid)):
      add(
        .staleFlag, container.preferencesFile,
        "the flag says active, but nobody holds the lock: process \(pid) "
          + (memoryKills.kill(of: pid).map { "\($0)" } ?? "died while it broadcast"),
        remedy: mending)
    case (true, .nobody):
      add(
        .unclaimedFlag, container.preferencesFile,
        "the flag says active, but no producer has taken the broadcast", remedy: mending)
    case (false, .alive(let pid)):
      add(
        .changing, container.producerLockFile,
        "\(Self.process(pid)) holds the lock while the flag is off: it is starting or ending a broadcast")
    case (nil, .alive(let pid)):
      add(.live, container.producerLockFile, "\(Self.process(pid)) holds the lock")
    default: break
    }
  }

  private mutating func judgeMemoryKill() {
    do throws(MemoryKillFile.Failure) { _ = try memoryKills.read() } catch {
      switch error {
      case .storage(let error): addUnreadable(memoryKills.path, error)
      case .damaged:
        add(
          .leftoverFile, memoryKills.path,
          "this is none of the files in which a producer says what it was killed for",
          remedy: "nothing need be done, as the next start removes it; or remove it")
      }
    }
  }

  private mutating func judgeProcess() {
    guard case .alive(let pid) = holder, pid != 0, ProcessState.isStopped(pid) else { return }
    add(
      .suspended, container.producerLockFile,
      "process \(pid) stands still: it was stopped, and no frames come",
      remedy: "let it go on: kill -CONT \(pid)")
  }

  private mutating func judgeRing(at look: Look) {
    switch holder {
    case .alive(let pid):
      // It may be there by now, since the folders were looked at.
      if flag == true, look != .blocked { judgeLiveRing(of: pid) }
    case .nobody, .died:
      if look == .sound { judgeDeadRing() }
    case nil: break
    }
  }

  private mutating func judgeLiveRing(of pid: Int32) {
    let path = container.framesFile
    let restart = "end the broadcast and start again, with producer and consumer of the same build"
    do throws(RingError) {
      let ring = try FrameRingReader(path: path)
      if pid != 0, ring.session.processID != pid {
        add(
          .wrongRing, path,
          "these are frames of process \(ring.session.processID), but process \(pid) broadcasts",
          remedy: restart)
      }
      add(
        .live, container.producerLockFile,
        "\(Self.process(pid)) broadcasts: session \(String(ring.session.id, radix: 16)), "
          + "frames published: \(ring.framesPublished)\(ring.state == .paused ? ", paused" : "")")
    } catch {
      if case .storage(let error) = error, error.isMissing, isArticleThere {
        add(
          .live, container.producerLockFile,
          "\(Self.process(pid)) broadcasts in the layout 'article', which tells no more: \(container.articleFile)"
        )
        return
      }
      let what =
        if case .storage(let error) = error, error.isMissing {
          "\(Self.process(pid)) broadcasts, but its frames are not there"
        } else {
          "\(Self.process(pid)) broadcasts, but its frames cannot be read: \(error)"
        }
      add(.wrongRing, path, what, remedy: restart)
    }
  }

  /// Whether frames are shared in the article's layout instead of the ring.
  private var isArticleThere: Bool {
    do { return try FileStatus.look(at: container.articleFile)?.kind == .plainFile } catch { return false }
  }

  private mutating func judgeArticle(at look: Look) {
    switch holder {
    case .nobody, .died:
      guard look == .sound, isArticleThere else { return }
      add(
        .leftoverRing, container.articleFile,
        "nobody broadcasts, but the frame of a producer is there, which did not remove it",
        remedy:
          "nothing need be done, as the next start with --layout article replaces it; or remove it, which gives "
          + "its memory back")
    case .alive, nil: break
    }
  }

  private mutating func judgeDeadRing() {
    let path = container.framesFile
    let what: String
    do throws(RingError) {
      let ring = try FrameRingReader(path: path)
      what =
        "nobody broadcasts, but the frames of process \(ring.session.processID) are there, which did not remove them"
    } catch {
      if case .storage(let error) = error, error.isMissing { return }
      what = "nobody broadcasts, but this file is there: \(error)"
    }
    add(
      .leftoverRing, path, what,
      remedy: "nothing need be done, as the next start replaces it; or remove it, which gives its memory back"
    )
  }

  // MARK: Room and path

  /// Three frames, which a producer reserves by default: of the default screen, and of the largest device.
  private static let smallRing = 3 * PixelBufferSerializer.serializedSize(width: 1080, height: 720)
  private static let largeRing = 3 * PixelBufferSerializer.serializedSize(width: 2064, height: 2752)

  private mutating func lookAtFileSystem() {
    var path = Self.absolute(container.folder)
    var status: FileSystemStatus?
    while status == nil {
      do throws(StorageError) { status = try fileSystem(path) } catch {
        // Where the container will be, when it is not there; what else is in the way was told before.
        guard path != "/" else { return addUnreadable(path, error) }
        path = Self.parent(of: path)
      }
    }
    guard let status else { return }
    let room = "\(status.name) with \(Double(status.freeByteCount).megabytesText) free"
    switch status.place {
    case .memory: add(.fileSystem, path, "the file system is \(room), in memory")
    case .disk:
      add(
        .diskFileSystem, path,
        "the file system is \(room), on a disk: sixty frames a second are written back to it",
        remedy: "choose a --container in /dev/shm or $XDG_RUNTIME_DIR")
    case .remote:
      add(
        .remoteFileSystem, path,
        "the file system is \(room), of another machine or program: locks and mapped frames may not be shared",
        remedy: "choose a --container in /dev/shm or $XDG_RUNTIME_DIR")
    }
    let reason: String? =
      if status.isReadOnly {
        "the file system cannot be written"
      } else if !status.takesFiles {
        "the file system takes no more files"
      } else if status.freeByteCount < UInt64(Self.smallRing) {
        "there is no room for three frames of 1080x720, which take \(Double(Self.smallRing).megabytesText)"
      } else {
        nil
      }
    let remedy = "free some room there, or choose another --container"
    // A producer that is there has its room; only the next one lacks it.
    if let reason {
      add(diagnosis.hasProducer ? .lowRoom : .noRoom, path, reason, remedy: remedy)
    } else if status.freeByteCount < UInt64(Self.largeRing) {
      add(
        .lowRoom, path,
        "there is no room for three frames of the largest screen, 2064x2752, which take "
          + Double(Self.largeRing).megabytesText, remedy: remedy)
    }
  }

  /// The most bytes that the path of a socket may have: `sun_path` of Apple's platforms without the final zero.
  private static let socketPathLimit = 103

  private mutating func lookAtPathLength() {
    let socket = Self.absolute(container.folder) + "/rtc_SSFD"
    let length = socket.utf8.count
    guard length > Self.socketPathLimit else { return }
    add(
      .longPath, container.folder,
      "a socket in it, such as rtc_SSFD, has a path of \(length) bytes, and \(Self.socketPathLimit) is the most",
      remedy: "choose a --container or a group whose name is shorter by \(length - Self.socketPathLimit)")
  }

  // MARK: Other groups

  private mutating func lookAtOtherGroups() {
    // Where a producer is or was, the two sides have found each other.
    switch holder {
    case .alive, .died: return
    case .nobody, nil: break
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: root) } catch {
      return add(
        .unreadable, root, "it cannot be listed: \(error.localizedDescription)", remedy: "check its mode")
    }
    for name in names.sorted() where name != container.group {
      // What cannot be read of another group says nothing about this one.
      guard let other = try? AppGroupContainer(root: root, group: name) else { continue }
      var examination = ContainerExamination(container: other, fileSystem: fileSystem)
      examination.readFlagAndHolder(examination.lookAtPlaces())
      addOtherGroup(examination.diagnosis, group: name)
    }
  }

  private mutating func addOtherGroup(_ other: Diagnosis, group: String) {
    let what: String
    if other.hasProducer {
      what = "\(Self.process(other.pid ?? 0)) has the broadcast of \(group), and \(container.group) has none"
    } else if other.flag == true, flag != true {
      what = "the flag of \(group) is on, and that of \(container.group) is not"
    } else {
      return
    }
    add(
      .otherGroup, other.container, what,
      remedy:
        "name the same app group on both sides: --group \(group), or the --environment it belongs to; unless "
        + "that is another broadcast")
  }

  // MARK: Texts

  private static func process(_ pid: Int32) -> String { pid == 0 ? "a producer" : "process \(pid)" }

  private static func octal(_ permissions: UInt32) -> String {
    let digits = String(permissions, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

  private static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}
