import CommandLineSupport
import EmulatedDevice
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

/// One examination of a container, from the outside in. It opens files for reading only and never follows a link.
struct ContainerExamination {
  let container: AppGroupContainer
  let root: String
  var findings: [Finding] = []
  var flag: Bool?
  var holder: ProcessLock.Holder?

  init(container: AppGroupContainer) {
    self.container = container
    var root = String(container.folder.dropLast(container.group.utf8.count + 1))
    // A link with a slash at the end would be followed.
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root.isEmpty ? "/" : root
  }

  var diagnosis: Diagnosis {
    Diagnosis(container: container.folder, flag: flag, holder: holder, findings: findings)
  }

  mutating func run() {
    let hasRoot = canOpen(root)
    if hasRoot && canOpen(container.folder) {
      checkContainer()
    } else if findings.isEmpty {
      add(
        .containerMissing, container.folder,
        "the app group \(container.group) has no container in \(root)")
    }
    checkPathLength()
    guard hasRoot else { return }
    if canOpen(DeviceFile.folder(in: root)) { for path in DeviceFile.files(in: root) { checkFile(path) } }
    checkOtherGroups()
  }

  /// Adds a finding for a file that exists but cannot be read.
  private mutating func checkFile(_ path: String) {
    do throws(FileError) { _ = try PlainFile.open(path) } catch {
      if !error.isMissing { addUnreadable(path, error) }
    }
  }

  private mutating func checkContainer() {
    guard canReadFiles() else { return }
    let unfinished = ([container.preferencesFile] + filesOfBroadcast).map { $0 + ".new" }.filter(isPlainFile)
    checkBroadcast()
    // A writer at work would have renamed its file by now, so a file that is still there is a leftover.
    for path in unfinished where !diagnosis.hasProducer && isPlainFile(path) {
      add(.leftoverFile, path, "a process died while it wrote this file")
    }
  }

  private var filesOfBroadcast: [String] {
    [container.producerLogFile, container.factsFile, container.framesFile, container.articleFile]
      + BroadcastAudioStream.allCases.map { container.audioFile(for: $0) }
  }

  /// Whether this user can open all folders of the container. Missing folders are skipped, because the first start creates them.
  mutating func canReadFiles() -> Bool {
    let (folder, count) = (container.folder, findings.count)
    return [
      folder, folder + "/Library", container.preferencesFolder, folder + "/Library/Caches",
      container.broadcastFolder,
    ].allSatisfy { canOpen($0) || findings.count == count }
  }

  /// Whether a folder can be opened. Adds a finding if not, unless the folder is missing.
  private mutating func canOpen(_ folder: String) -> Bool {
    do throws(FileError) {
      _ = try PrivateFolder.open(folder)
      return true
    } catch {
      if !error.isMissing { addUnreadable(folder, error) }
      return false
    }
  }

  func isPlainFile(_ path: String) -> Bool {
    do { return try FileStatus.read(at: path)?.kind == .plainFile } catch { return false }
  }

  /// The maximum length of a socket's path in bytes: `sun_path` on Apple's platforms without the final zero.
  private static let socketPathLimit = 103

  private mutating func checkPathLength() {
    let length = (URL(fileURLWithPath: container.folder).path + "/rtc_SSFD").utf8.count
    guard length > Self.socketPathLimit else { return }
    add(
      .longPath, container.folder,
      "the path of a socket in it, such as rtc_SSFD, has \(length) bytes, and the limit is \(Self.socketPathLimit)",
      remedy: "choose a --container or a group whose name is shorter by \(length - Self.socketPathLimit)")
  }

  mutating func add(
    _ kind: Finding.Kind, _ path: String, _ description: String, remedy: String? = nil
  ) {
    findings.append(Finding(kind, path, description, remedy: remedy))
  }

  /// Adds a path that the system keeps this user from. The error has the remedy.
  mutating func addUnreadable(_ path: String, _ error: FileError) {
    findings.append(
      Finding(.unreadable, path, "it cannot be checked: \(error)", exitCode: ExitCode(errno: error.code)))
  }

  static func process(_ pid: Int32) -> String { pid == 0 ? "a producer" : "process \(pid)" }
}
