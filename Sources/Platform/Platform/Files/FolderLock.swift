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
    defer {
      do {
        // Explicitly, not by closing: a child between fork and exec shares the open file, and may not run for seconds.
        try System.unlockFolder(folder)
      } catch {
        // Closing the folder drops the lock too, once no child shares it.
      }
    }
    return try body()
  }
}
