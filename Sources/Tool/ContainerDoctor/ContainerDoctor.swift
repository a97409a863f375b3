import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Finds the reasons why a broadcast does not work: examines a container without changing it, and repairs it on request.
///
/// ```swift
/// let diagnosis = ContainerDoctor(container: container).examine()
/// print(diagnosis.text)
/// ```
package struct ContainerDoctor {
  private let container: AppGroupContainer

  /// Creates a doctor for a container, which may be missing.
  package init(container: AppGroupContainer) { self.container = container }

  /// Checks everything and changes nothing.
  package func examine() -> Diagnosis {
    var examination = ContainerExamination(container: container)
    examination.run()
    return examination.diagnosis
  }

  /// Checks everything, repairs what it can, and checks again. A finding that is gone then counts as repaired.
  ///
  /// Changes nothing while a producer holds the lock, and blocks new producers during the repair. Never changes the files
  /// of another user, and never follows links.
  package func repair() -> Diagnosis {
    var diagnosis = examine()
    let tried = diagnosis.findings.filter(\.kind.isFixable)
    var failures: [Failure] = []
    if !diagnosis.hasProducer, !tried.isEmpty {
      failures = repairWhileFree(tried)
      diagnosis = examine()
    }
    for index in diagnosis.findings.indices {
      let finding = diagnosis.findings[index]
      diagnosis.findings[index].fixFailure = failures.first { $0.finding.isSame(as: finding) }?.reason
    }
    var fixed = tried.filter { finding in !diagnosis.findings.contains { $0.isSame(as: finding) } }
    for index in fixed.indices { fixed[index].isFixed = true }
    diagnosis.findings = fixed + diagnosis.findings
    return diagnosis
  }

  private typealias Failure = (finding: Finding, reason: String)

  /// Repairs the findings while no producer can start. Returns the failures.
  private func repairWhileFree(_ findings: [Finding]) -> [Failure] {
    // Remove files before clearing the flag: on a full file system the new preferences need the space of the old frames.
    let order: [Finding.Repair] = [.removeFile, .clearFlag]
    let findings: [Finding] = order.flatMap { next in findings.filter { $0.kind.row.repair == next } }
    do throws(FileError) {
      // The flag can be on even if no broadcast ever ran. The lock needs its folder.
      if try FileStatus.read(at: container.broadcastFolder) == nil { try container.prepare() }
      return try ProcessLock.whileFree(at: container.producerLockFile) { attempt(findings) }
    } catch {
      return findings.map { ($0, "\(error)") }
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
    case .clearFlag:
      try KeyValueFile(container: container).set(false, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    case .removeFile:
      // A process that holds the lock of the folder may be writing such a file.
      let folder = (finding.path as NSString).deletingLastPathComponent
      try FolderLock.hold(on: folder) { () throws(FileError) in try PlainFile.remove(finding.path) }
    case nil: break
    }
  }
}
