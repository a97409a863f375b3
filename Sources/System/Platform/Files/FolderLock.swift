/// A short-lived lock for processes that replace files of a folder.
///
/// The lock is on the folder itself and needs no file. The kernel drops it when the process ends.
public enum FolderLock {
  /// Runs `body` with the lock of the folder, for which it waits up to two seconds.
  /// - Throws: ``StorageError``, `busy` if another process holds the lock; and the errors of `body`.
  public static func hold<Result: ~Copyable>(
    on path: String, clock: any MonotonicClock = SystemClock(), _ body: () throws -> Result
  ) throws -> Result {
    let folder = try PrivateFolder.open(path)
    let isHeld: Bool
    do { isHeld = try System.lockFolder(folder, clock: clock) } catch { throw StorageError.system(error) }
    guard isHeld else { throw StorageError.busy(path: path) }
    // Closing the folder drops the lock, and without this it would close after its last use above.
    defer { extendLifetime(folder) }
    return try body()
  }
}
