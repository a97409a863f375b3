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
}
