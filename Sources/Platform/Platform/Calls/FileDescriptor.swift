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

  /// Makes a call on the descriptor; see ``System/retrying(_:_:_:)``.
  @discardableResult
  package borrowing func retrying<Result: SignedInteger>(
    _ call: String, _ body: (Int32) -> Result
  ) throws(SystemError) -> Result {
    let raw = rawValue
    return try System.retrying(call, path) { body(raw) }
  }
}
