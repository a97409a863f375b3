import Platform
import Synchronization

/// The lock a producer holds for its life: who holds it *is* the broadcast, and nobody else may start one.
///
/// The kernel drops it on any death, so "the flag says active and nobody holds the lock" is a crash, told
/// without heartbeats. The holder's process id stands in the file for messages; liveness is the lock alone.
/// A holder that leaves in order empties the file, so an id left in an unlocked file names the one that died.
public final class ProducerLock: Sendable {
  /// Why the lock cannot be had.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process holds it; its process id if it could be read.
    case held(by: Int32?)
    /// The file cannot be used.
    case storage(StorageError)

    /// One sentence: what is in the way, and the way out.
    public var description: String {
      switch self {
      case .held(let pid):
        "a broadcast is already running in this app group"
          + (pid.map { " (process \($0))" } ?? "") + "; stop it first, or choose another app group"
      case .storage(let error): error.description
      }
    }
  }

  /// What an observer learns about the producer.
  public enum Holder: Equatable, Sendable {
    /// Nobody, and the last one left in order.
    case nobody
    /// A living process; 0 for the moment before it wrote its id.
    case alive(pid: Int32)
    /// Nobody, but this process died without leaving in order.
    case died(pid: Int32)
  }

  private let file: Mutex<FileDescriptor?>

  /// Takes the lock at `path`, creating the file if need be.
  public init(path: String) throws(Failure) {
    do throws(StorageError) {
      let file = try PlainFile.openOrCreate(path)
      let isFree: Bool
      do { isFree = try System.tryLock(file) } catch { throw .system(error) }
      if isFree {
        do {
          // The id goes over the one of a process that died before what is left of that is cut off: an empty file
          // would say that nobody died.
          let id = Array("\(System.processID)\n".utf8)
          try System.write(id, to: file)
          try System.setSize(of: file, to: id.count)
        } catch { throw .system(error) }
        self.file = Mutex(consume file)
        return
      }
    } catch {
      throw .storage(error)
    }
    if case .alive(let pid) = try Self.observed(at: path), pid != 0 { throw .held(by: pid) }
    throw .held(by: nil)
  }

  /// Who holds the lock at `path`. Needs no right to write and disturbs nobody.
  public static func holder(at path: String) throws(StorageError) -> Holder {
    let file: FileDescriptor
    do throws(StorageError) {
      file = try PlainFile.open(path)
    } catch {
      if error.isMissing { return .nobody }
      throw error
    }
    do {
      // The id is read between two looks at the lock, so that it is the id of the state told.
      while true {
        let wasHeld = try System.isLockedElsewhere(file)
        let text = String(decoding: try System.read(file, limit: 32), as: UTF8.self)
        let isHeld = try System.isLockedElsewhere(file)
        guard wasHeld == isHeld else { continue }
        let pid = Int32(text.prefix { $0.isNumber }) ?? 0
        if isHeld { return .alive(pid: pid) }
        return pid == 0 ? .nobody : .died(pid: pid)
      }
    } catch {
      throw .system(error)
    }
  }

  /// Runs `body` while nobody can take the lock at `path`, without taking the broadcast: what stands in the file
  /// stays. The file is created if need be.
  ///
  /// To others it looks for that moment as if the last holder were there. Throws when somebody holds the lock.
  public static func whileFree<Result>(at path: String, _ body: () -> Result) throws(Failure) -> Result {
    do throws(StorageError) {
      let file = try PlainFile.openOrCreate(path)
      let isFree: Bool
      do { isFree = try System.tryLock(file) } catch { throw .system(error) }
      if isFree {
        let result = body()
        do { try System.unlock(file) } catch { throw .system(error) }
        return result
      }
    } catch {
      throw .storage(error)
    }
    if case .alive(let pid) = try observed(at: path), pid != 0 { throw .held(by: pid) }
    throw .held(by: nil)
  }

  /// Leaves in order: empties the file and drops the lock.
  public func release() throws(StorageError) {
    do {
      try file.withLock { file throws(SystemError) in
        guard let held = file.take() else { return }
        try System.setSize(of: held, to: 0)
        // Said, not left to closing: a child between fork and exec shares the open file for a moment.
        try System.unlock(held)
      }
    } catch {
      throw .system(error)
    }
  }

  private static func observed(at path: String) throws(Failure) -> Holder {
    do { return try holder(at: path) } catch { throw .storage(error) }
  }
}

extension ProducerLock.Failure: CodedError {
  /// The nearest `errno`: of the file, or "exists" for a broadcast that already runs.
  public var code: Int32 {
    if case .storage(let error) = self { error.code } else { Errno.fileExists.rawValue }
  }
}
