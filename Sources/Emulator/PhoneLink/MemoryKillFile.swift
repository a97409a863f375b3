import Causes
import Platform
import ScreenBroadcast

/// The file `jetsam.json` of a container.
package struct MemoryKillFile: Sendable {
  /// Why the file has no record.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case file(FileError)
    /// No producer wrote the file.
    case damaged(path: String)

    /// One sentence without a full stop: the file and its problem.
    package var description: String {
      switch self {
      case .file(let error): error.description
      case .damaged(let path): "\(path) is not a record of a producer that was killed for its memory"
      }
    }
  }

  private let container: AppGroupContainer

  package init(container: AppGroupContainer) { self.container = container }

  /// The path of the file, which need not exist.
  package var path: String { container.broadcastFolder + "/" + MemoryKill.fileName }

  /// Removes the record of an earlier producer, unless a producer runs.
  package func removeObsolete() throws(FileError) {
    if case .alive = try ProcessLock.holder(at: container.producerLockFile) { return }
    try PlainFile.remove(path)
  }

  /// Returns the record; `nil` if there is no file.
  package func read() throws(Failure) -> MemoryKill? {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try PlainFile.read(path, limit: MemoryKill.sizeLimit + 1) } catch {
      if error.isMissing { return nil }
      throw .file(error)
    }
    guard let kill = MemoryKill(json: bytes) else { throw .damaged(path: path) }
    return kill
  }

  /// Returns the record of the process `pid`, which had the session `session` if that is known.
  ///
  /// A file that cannot be read or is damaged gives `nil`; the doctor reports it.
  package func kill(of pid: Int32, session: UInt64? = nil) -> MemoryKill? {
    do throws(Failure) {
      guard let kill = try read(), kill.pid == pid else { return nil }
      guard let session, let recorded = kill.session else { return kill }
      return UInt64(recorded, radix: 16) == session ? kill : nil
    } catch {
      return nil
    }
  }
}
