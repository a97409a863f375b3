import Causes
import Platform
import ScreenBroadcast

/// The file `jetsam.json` of a container.
package struct MemoryKillFile: Sendable {
  private let container: AppGroupContainer

  package init(container: AppGroupContainer) { self.container = container }

  /// The path of the file, which need not exist.
  package var path: String { container.broadcastFolder + "/" + MemoryKill.fileName }

  /// Removes the record of an earlier producer, unless a producer runs.
  package func removeObsolete() throws(FileError) {
    if case .alive = try ProcessLock.holder(at: container.producerLockFile) { return }
    try PlainFile.remove(path)
  }

  /// Returns the record; `nil` if there is no file. Throws `damaged` if no producer wrote it.
  package func read() throws(FileError) -> MemoryKill? {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try PlainFile.read(path, limit: MemoryKill.sizeLimit + 1) } catch {
      if error.isMissing { return nil }
      throw error
    }
    guard let kill = MemoryKill(json: bytes) else { throw FileError(.damaged, path) }
    return kill
  }

  /// Returns the record of the process `pid`, which had the session `session` if that is known.
  ///
  /// A file that cannot be read or is damaged gives `nil`; the doctor reports it.
  package func kill(of pid: Int32, session: UInt64? = nil) -> MemoryKill? {
    do throws(FileError) {
      guard let kill = try read(), kill.pid == pid else { return nil }
      guard let session, let recorded = kill.session else { return kill }
      return UInt64(recorded, radix: 16) == session ? kill : nil
    } catch {
      return nil
    }
  }
}
