import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

// The folders and files of a container: whether each is what it must be.
extension ContainerExamination {
  mutating func checkRoot() -> PathState {
    let state = check(root, mustBe: .folder, mayBelongToRoot: true) { examination, status in
      if status.isOpenToOthers {
        examination.add(
          .openRoot, examination.root,
          "other users can replace the containers in this folder: its mode is \(Self.octal(status.permissions))"
        )
      }
    }
    if state == .missing { addMissing() }
    return state
  }

  private mutating func addMissing() {
    add(
      .containerMissing, container.folder,
      "the app group \(container.group) has no container in \(root)")
  }

  mutating func checkContainer() {
    checkPaths()
    checkBroadcast()
    for path in unfinished where !diagnosis.hasProducer && isStillThere(path) {
      add(.leftoverFile, path, "a process died while it wrote this file")
    }
  }

  /// Whether a file remained, and so was not the file of a writer at work.
  private func isStillThere(_ path: String) -> Bool {
    do { return try FileStatus.read(at: path) != nil } catch { return true }
  }

  mutating func checkPaths() {
    let folder = checkFolder(container.folder, in: .valid)
    if folder == .missing { addMissing() }
    let library = checkFolder(container.folder + "/Library", in: folder)
    let preferences = checkFolder(container.preferencesFolder, in: library)
    let caches = checkFolder(container.folder + "/Library/Caches", in: library)
    let broadcast = checkFolder(container.broadcastFolder, in: caches)
    let audioFiles = BroadcastAudioStream.allCases.map { container.audioFile(for: $0) }
    let files =
      [(container.preferencesFile, preferences)]
      + ([
        container.producerLogFile, container.factsFile, container.framesFile, container.articleFile,
      ]
      + audioFiles).map { ($0, broadcast) }
    let locks = [container.producerLockFile, container.extensionLockFile, container.appLockFile]
      .map { ($0, broadcast) }
    for (file, folder) in files + locks {
      states[file] = checkFile(file, in: folder)
    }
    if broadcast == .valid {
      _ = check(container.controlSocket, mustBe: .socket) { _, _ in }
    }
    unfinished = files.map { ($0 + ".new", $1) }
      .filter { checkFile($0, in: $1, checksMode: false) == .valid }.map(\.0)
  }

  private mutating func checkFolder(_ path: String, in parent: PathState) -> PathState {
    guard parent == .valid else { return parent }
    return check(path, mustBe: .folder) { examination, status in
      guard status.permissions & 0o777 != 0o700 else { return }
      let harm =
        status.permissions & 0o077 == 0 ? "this user cannot use it" : "other users can see what is in it"
      examination.add(
        .folderMode, path, "the folder has the mode \(Self.octal(status.permissions)) and not 0700: \(harm)")
    }
  }

  private mutating func checkFile(
    _ path: String, in parent: PathState, checksMode: Bool = true
  ) -> PathState {
    guard parent == .valid else { return parent }
    return check(path, mustBe: .plainFile) { examination, status in
      guard checksMode, status.permissions & 0o777 != 0o600 else { return }
      examination.add(.fileMode, path, "the file has the mode \(Self.octal(status.permissions)) and not 0600")
    }
  }

  private mutating func check(
    _ path: String, mustBe kind: FileStatus.Kind, mayBelongToRoot: Bool = false,
    whenValid: (inout ContainerExamination, FileStatus) -> Void
  ) -> PathState {
    let status: FileStatus
    do throws(FileError) {
      guard let found = try FileStatus.read(at: path) else { return .missing }
      status = found
    } catch {
      addUnreadable(path, error)
      return .blocked
    }
    if status.kind == .symbolicLink {
      add(.symbolicLink, path, "it is a symbolic link, and links are never followed")
    } else if status.kind != kind {
      let (finding, name): (Finding.Kind, String) =
        switch kind {
        case .folder: (.notAFolder, "folder")
        case .socket: (.notASocket, "socket")
        default: (.notAPlainFile, "plain file")
        }
      add(finding, path, "it is not a \(name), as it must be")
    } else if !status.isOwn, !(mayBelongToRoot && status.owner == 0) {
      add(.foreignOwner, path, "it belongs to user \(status.owner), not to this one")
    } else {
      whenValid(&self, status)
      return .valid
    }
    return .blocked
  }

  private static func octal(_ permissions: UInt32) -> String {
    String(format: "%04o", permissions)
  }
}
