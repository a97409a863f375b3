import Platform

// The steps of replacing a mapped file: create it under a temporary name, move it into place, check that it is still
// there, remove it at the end.
extension MappedFile {
  /// Creates and populates a file of zeros that is to be at `path`, under a temporary name beside it.
  package convenience init(creatingFor path: String, byteCount: Int) throws(StorageError) {
    try self.init(creatingAt: path + ".new", byteCount: byteCount)
    populate()
  }

  /// Renames the file to `place` in one step: a reader that opens the path gets the old file or the whole new one. If
  /// that fails, the file is removed.
  package func moveIntoPlace(_ place: String) throws(StorageError) {
    do { try System.rename(path, to: place) } catch {
      do { try System.remove(path) } catch let second { throw .system(second) }
      throw .system(error)
    }
  }

  /// Whether `path` names this file and not another one; `nil` if nothing is there.
  package func isAt(_ path: String) throws(StorageError) -> Bool? {
    try FileStatus.look(at: path).map { $0.identity == identity }
  }

  /// Whether the file is at `path` and has all its bytes. A page that was cut off shows nothing until it is touched.
  package func isIntact(at path: String) -> Bool {
    do throws(StorageError) {
      let status = try FileStatus.look(at: path)
      return status?.identity == identity && status?.byteCount == byteCount
    } catch {
      return false
    }
  }

  /// Removes the file from `path`, unless another file is there by now.
  package func removeFromPlace(_ path: String) throws(StorageError) {
    do throws(SystemError) {
      if try System.statusWithoutFollowing(path).identity == identity { try System.remove(path) }
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw .system(error) }
    }
  }
}
