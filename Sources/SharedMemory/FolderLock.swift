/// The right to change the files of a folder that are replaced as a whole, held for a moment.
///
/// The lock is on the folder itself, so it needs no file of its own, and the kernel drops it with the process.
/// ```swift
/// let lock = try FolderLock(folder: preferences)
/// … read, change, replace …
/// lock.release()
/// ```
public struct FolderLock: ~Copyable {
  private let folder: FileDescriptor

  /// Takes the lock, waiting up to two seconds for another holder.
  public init(folder path: String) throws(StorageError) {
    let folder = try PrivateFolder.open(path)
    let isHeld: Bool
    do { isHeld = try System.lockFolder(folder) } catch { throw .system(error) }
    guard isHeld else { throw .busy(path: path) }
    self.folder = folder
  }

  /// Gives the lock back. Going out of use does the same; saying it keeps the lock until here.
  public consuming func release() {}
}
