import CommandLineSupport
import ContainingApp
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

// The folders and files of a container: whether each is what it must be.
extension ContainerExamination {
  mutating func lookAtRoot() -> Look {
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
  struct Places {
    var preferences: Look
    var lock: Look
    var ring: Look
    /// The one frame of the article's layout.
    var article: Look
    /// The sound, of each stream.
    var audio: [(stream: BroadcastAudioStream, look: Look)]
    /// Files under the names that writers give what is not finished.
    var unfinished: [String]
  }

  mutating func lookAtContainer() {
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

  mutating func lookAtPlaces() -> Places {
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
      audio: BroadcastAudioStream.allCases.map { stream in
        (stream, lookAtFile(container.audioFile(for: stream), in: broadcast))
      },
      unfinished: (BroadcastAudioStream.allCases.map { (container.audioFile(for: $0), broadcast) } + [
        (container.preferencesFile, preferences), (container.framesFile, broadcast),
        (container.articleFile, broadcast), (logFile, broadcast), (memoryKills.path, broadcast),
      ]).compactMap { file, folder in
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

  mutating func addUnreadable(_ path: String, _ error: some CodedError) {
    findings.append(
      Finding(
        .unreadable, path, "it cannot be looked at: \(error)",
        remedy: "check owner and mode of it and of its folders",
        exitCode: ExitCode(errno: error.code)))
  }
}
