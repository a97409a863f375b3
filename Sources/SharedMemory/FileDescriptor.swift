import Glibc

/// An open file, closed when its owner goes.
struct FileDescriptor: ~Copyable, Sendable {
  let rawValue: Int32
  let path: String

  init(_ rawValue: Int32, path: String) {
    self.rawValue = rawValue
    self.path = path
  }

  deinit { _ = close(rawValue) }
}
