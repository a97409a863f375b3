/// The right to change the files of a folder that are replaced as a whole, held for a moment.
///
/// The lock is on the folder itself, so it needs no file of its own, and the kernel drops it with the process.
public enum FolderLock {
  /// Runs `body` while no other holder of the folder's lock does, waiting up to two seconds for them.
  ///
  /// Throws ``StorageError`` when the lock cannot be had, and what `body` throws.
  public static func hold<Result: ~Copyable>(on path: String, _ body: () throws -> Result) throws -> Result {
    let folder = try PrivateFolder.open(path)
    let isHeld: Bool
    do { isHeld = try System.lockFolder(folder) } catch { throw StorageError.system(error) }
    guard isHeld else { throw StorageError.busy(path: path) }
    // Closing the folder drops the lock; without this it would be closed after its last use, above.
    defer { extendLifetime(folder) }
    return try body()
  }
}
