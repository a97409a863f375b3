/// A system call that failed: the call, its path and the error.
public struct SystemError: Error, Equatable, Sendable {
  /// The C function, such as `open`, `mmap` or `posix_fallocate`.
  public var call: String
  /// The file or folder the call was made for.
  public var path: String
  /// The error.
  public var errno: Errno

  /// An error from its three parts.
  public init(call: String, path: String, errno: Errno) {
    self.call = call
    self.path = path
    self.errno = errno
  }

  /// An error with a value of the C variable `errno`.
  public init(call: String, path: String, code: Int32) {
    self.init(call: call, path: path, errno: Errno(rawValue: code))
  }

  /// The value of `errno`, from which a program derives its exit code.
  public var code: Int32 { errno.rawValue }
}

extension SystemError: CustomStringConvertible {
  /// One sentence: what failed, on what, and the usual remedy.
  public var description: String {
    let what = "\(path): \(errno) (\(call))"
    guard let advice = errno.advice else { return what }
    return "\(what); \(advice)"
  }
}
