import Foundation
import Platform
import ScreenBroadcast
import SharedMemory

/// Finds out why a broadcast does not work: looks at a container without changing anything, and mends on demand
/// what can be mended without harm.
///
/// ```swift
/// let diagnosis = ContainerDoctor(container: container).examine()
/// print(diagnosis.text)
/// ```
package struct ContainerDoctor {
  private let container: AppGroupContainer
  private let fileSystem: ContainerExamination.FileSystemLook

  /// A doctor of one container, which need not be there.
  package init(container: AppGroupContainer) {
    self.init(container: container, fileSystem: FileSystemStatus.look(at:))
  }

  /// - Parameter fileSystem: tells on what file system a path is; given by tests.
  init(container: AppGroupContainer, fileSystem: @escaping ContainerExamination.FileSystemLook) {
    self.container = container
    self.fileSystem = fileSystem
  }

  /// Looks at everything and changes nothing.
  package func examine() -> Diagnosis {
    var examination = ContainerExamination(container: container, fileSystem: fileSystem)
    examination.run()
    return examination.diagnosis
  }

  /// Looks at everything, mends what can be, and looks again: what the second look does not find is mended.
  ///
  /// While a producer holds the lock nothing is changed, and none can take it meanwhile. What belongs to another
  /// user is left alone, and links are not followed.
  package func mend() -> Diagnosis {
    var diagnosis = examine()
    var tried: [Finding] = []
    var failures: [Failure] = []
    while !diagnosis.hasProducer {
      let next = diagnosis.findings.filter { finding in
        finding.kind.isFixable && !tried.contains { $0.isSame(as: finding) }
      }
      guard !next.isEmpty else { break }
      // From the outside in, so that a closed folder guards what is mended in it; one that shut its owner out shows
      // what is in it only then. This alone needs no lock: every start does the same.
      let folders = next.filter { $0.kind.repair == .closeFolder }
      failures += folders.isEmpty ? repairWhileFree(next) : attempt(folders)
      tried += folders.isEmpty ? next : folders
      diagnosis = examine()
    }
    for index in diagnosis.findings.indices where diagnosis.findings[index].kind.isFixable {
      let finding = diagnosis.findings[index]
      diagnosis.findings[index].fixFailure =
        failures.first { $0.finding.isSame(as: finding) }?.reason
        ?? (diagnosis.hasProducer ? Self.isTaken(by: diagnosis.pid) : nil)
    }
    let fixed = tried.filter { finding in !diagnosis.findings.contains { $0.isSame(as: finding) } }
    diagnosis.findings.insert(
      contentsOf: fixed.map { finding in
        var finding = finding
        finding.isFixed = true
        return finding
      }, at: 0)
    return diagnosis
  }

  private typealias Failure = (finding: Finding, reason: String)

  /// Mends what is not a folder while no producer can start; what failed, and why.
  private func repairWhileFree(_ findings: [Finding]) -> [Failure] {
    // Removing before clearing: on a full file system the new preferences need the room of the old frames.
    let order: [Finding.Repair] = [.closeFile, .removeFile, .clearFlag]
    let findings: [Finding] = order.flatMap { next in findings.filter { $0.kind.repair == next } }
    do {
      // A flag may be on where no broadcast ever was, and the lock needs its folder.
      if try FileStatus.look(at: container.broadcastFolder) == nil { try container.prepare() }
      return try ProducerLock.whileFree(at: container.producerLockFile) { attempt(findings) }
    } catch let error as ProducerLock.Failure {
      let reason = if case .held(let pid) = error { Self.isTaken(by: pid) } else { "\(error)" }
      return findings.map { ($0, reason) }
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

  private func repair(_ finding: Finding) throws {
    switch finding.kind.repair {
    case .closeFolder: try PrivateFolder.restrictToOwner(finding.path)
    case .closeFile: try PlainFile.restrictToOwner(finding.path)
    case .clearFlag:
      try KeyValueFile(container: container).set(false, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    case .removeFile:
      // Whoever holds the folder's lock is writing such a file at this moment.
      let folder = (finding.path as NSString).deletingLastPathComponent
      try FolderLock.hold(on: folder) { try PlainFile.remove(finding.path) }
    case nil: break
    }
  }

  private static func isTaken(by pid: Int32?) -> String {
    "nothing is changed while " + (pid.map { "process \($0)" } ?? "a producer") + " has the broadcast"
  }
}
