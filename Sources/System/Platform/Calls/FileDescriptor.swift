import Glibc

/// An open file, closed at the end of this value's life.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: Int32
  package let path: String

  package init(_ rawValue: Int32, path: String) {
    self.rawValue = rawValue
    self.path = path
  }

  deinit { _ = close(rawValue) }
}
