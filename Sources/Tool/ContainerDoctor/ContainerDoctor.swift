import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Finds why a broadcast does not work: examines a container without changing it, and repairs it on request.
///
/// ```swift
/// let diagnosis = ContainerDoctor(container: container, screens: screens).examine()
/// print(diagnosis.text)
/// ```
package struct ContainerDoctor {
  private let container: AppGroupContainer
  private let screens: Screens
  private let fileSystem: ContainerExamination.FileSystemCheck

  /// The sizes of frames for which a container must have room.
  package struct Screens: Sendable {
    /// That of a producer without options.
    let usual: PixelSize
    let largest: PixelSize

    package init(usual: PixelSize, largest: PixelSize) { (self.usual, self.largest) = (usual, largest) }
  }

  /// A doctor of one container, which may be missing.
  package init(container: AppGroupContainer, screens: Screens) {
    self.init(container: container, screens: screens, fileSystem: System.fileSystem(of:))
  }

  /// - Parameter fileSystem: returns the file system of a path; tests replace it.
  init(
    container: AppGroupContainer, screens: Screens,
    fileSystem: @escaping ContainerExamination.FileSystemCheck
  ) {
    (self.container, self.screens) = (container, screens)
    self.fileSystem = fileSystem
  }

  /// Checks everything and changes nothing.
  package func examine() -> Diagnosis {
    var examination = ContainerExamination(container: container, screens: screens, fileSystem: fileSystem)
    examination.run()
    return examination.diagnosis
  }

  /// Checks everything, repairs what it can, and checks again: a finding that is gone then counts as repaired.
  ///
  /// Changes nothing while a producer holds the lock, and holds the lock against new producers during the repair.
  /// Never changes the files of another user and never follows links.
  package func repair() -> Diagnosis {
    var diagnosis = examine()
    var tried: [Finding] = []
    var failures: [Failure] = []
    while !diagnosis.hasProducer {
      let next = diagnosis.findings.filter { finding in
        finding.kind.isFixable && !tried.contains { $0.isSame(as: finding) }
      }
      guard !next.isEmpty else { break }
      // From the outside in: a folder that its owner cannot enter shows its content only after the repair. Modes of
      // folders alone need no lock, since every start sets them as well.
      let folders = next.filter { $0.kind.row.repair == .restrictFolder }
      failures += folders.isEmpty ? repairWhileFree(next) : attempt(folders)
      tried += folders.isEmpty ? next : folders
      diagnosis = examine()
    }
    for index in diagnosis.findings.indices where diagnosis.findings[index].kind.isFixable {
      let finding = diagnosis.findings[index]
      diagnosis.findings[index].fixFailure =
        failures.first { $0.finding.isSame(as: finding) }?.reason
        ?? (diagnosis.hasProducer ? Self.lockReason(heldBy: diagnosis.pid) : nil)
    }
    var fixed = tried.filter { finding in !diagnosis.findings.contains { $0.isSame(as: finding) } }
    for index in fixed.indices { fixed[index].isFixed = true }
    diagnosis.findings = fixed + diagnosis.findings
    return diagnosis
  }

  private typealias Failure = (finding: Finding, reason: String)

  /// Repairs everything but modes of folders, while no producer can start; returns the failures.
  private func repairWhileFree(_ findings: [Finding]) -> [Failure] {
    // Removal comes before clearing: on a full file system the new preferences need the room of the old frames.
    let order: [Finding.Repair] = [.restrictFile, .removeFile, .clearFlag]
    let findings: [Finding] = order.flatMap { next in findings.filter { $0.kind.row.repair == next } }
    do throws(FileError) {
      // The flag can be on where no broadcast ever was; the lock needs its folder.
      if try FileStatus.read(at: container.broadcastFolder) == nil { try container.prepare() }
      // The lock cannot be taken in a file whose mode keeps its owner out.
      let lock = findings.filter { $0.kind == .fileMode && $0.path == container.producerLockFile }
      for finding in lock { try repair(finding) }
      return try ProcessLock.whileFree(at: container.producerLockFile) { attempt(findings) }
    } catch {
      let reason = if case .held(let pid) = error.reason { Self.lockReason(heldBy: pid) } else { "\(error)" }
      return findings.map { ($0, reason) }
    }
  }

  private func attempt(_ findings: [Finding]) -> [Failure] {
    findings.compactMap { finding in
      do {
        try repair(finding)
        return nil
      } catch {
        return (finding, "\(error)")
      }
    }
  }

  private func repair(_ finding: Finding) throws(FileError) {
    switch finding.kind.row.repair {
    case .restrictFolder: try PrivateFolder.restrictToOwner(finding.path)
    case .restrictFile: try PlainFile.restrictToOwner(finding.path)
    case .clearFlag:
      try KeyValueFile(container: container).set(false, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    case .removeFile:
      // A process that holds the lock of the folder may be writing such a file.
      try FolderLock.hold(on: ContainerExamination.parent(of: finding.path)) { () throws(FileError) in
        try PlainFile.remove(finding.path)
      }
    case nil: break
    }
  }

  private static func lockReason(heldBy pid: Int32?) -> String {
    "nothing is changed while " + (pid.map { "process \($0)" } ?? "a producer") + " has the broadcast"
  }
}
