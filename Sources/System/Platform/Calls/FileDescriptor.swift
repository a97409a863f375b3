import Glibc

/// An open file, closed when its owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: Int32
  package let path: String

  package init(_ rawValue: Int32, path: String) {
    self.rawValue = rawValue
    self.path = path
  }

  deinit { _ = close(rawValue) }
}
