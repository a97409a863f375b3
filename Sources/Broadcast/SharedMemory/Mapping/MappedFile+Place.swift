import Platform

extension MappedFile {
  /// Whether the path names this file and no other one; `nil` when it names none.
  public func isAt(_ path: String) throws(StorageError) -> Bool? {
    do throws(SystemError) {
      return try System.statusWithoutFollowing(path).identity == identity
    } catch {
      if error.code == System.Code.missing { return nil }
      throw .system(error)
    }
  }

  /// Puts a file that was made under another name in its place, in one step: who opens the path finds what was there
  /// before or the whole of this. It is removed when it cannot be put there.
  func show(at place: String) throws(StorageError) {
    do { try System.rename(path, to: place) } catch {
      do { try System.remove(path) } catch let second { throw .system(second) }
      throw .system(error)
    }
  }
}
