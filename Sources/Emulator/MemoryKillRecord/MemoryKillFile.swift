import CommandLineSupport
import Platform
import ScreenBroadcast
import SharedMemory

/// The file in which a producer that was killed for its memory says so, where there is one.
public struct MemoryKillFile: Sendable {
  /// Why the file tells nothing.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// It cannot be read.
    case storage(StorageError)
    /// It is none that a producer writes.
    case damaged(path: String)

    /// One sentence: what is wrong with which file.
    public var description: String {
      switch self {
      case .storage(let error): error.description
      case .damaged(let path): "\(path) is none that a producer writes when it is killed for its memory"
      }
    }
  }

  /// The path of the file, which need not be there.
  public let path: String

  /// The file of a container.
  public init(container: AppGroupContainer) { path = container.broadcastFolder + "/" + MemoryKill.fileName }

  /// What it says; `nil` when there is none.
  public func read() throws(Failure) -> MemoryKill? {
    let bytes: [UInt8]
    do throws(StorageError) { bytes = try PlainFile.read(path, limit: MemoryKill.sizeLimit + 1) } catch {
      if error.isMissing { return nil }
      throw .storage(error)
    }
    guard let kill = MemoryKill(json: bytes) else { throw .damaged(path: path) }
    return kill
  }

  /// What it says of the death of the process `pid`, which had the session `session` if that is known.
  ///
  /// `nil` when it says nothing of it. A file that cannot be read or is damaged tells no reason either; what is wrong
  /// with it, the doctor says.
  public func kill(of pid: Int32, session: UInt64? = nil) -> MemoryKill? {
    do throws(Failure) {
      guard let kill = try read(), kill.pid == pid else { return nil }
      guard let session, let told = kill.session else { return kill }
      return UInt64(told, radix: 16) == session ? kill : nil
    } catch {
      return nil
    }
  }
}
