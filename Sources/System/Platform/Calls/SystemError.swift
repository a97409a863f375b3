/// A system call that failed: which call, on which path, with which errno.
public struct SystemError: Error, Equatable, Sendable {
  /// The call, as in the manual: `open`, `mmap`, `posix_fallocate`.
  public var call: String
  /// The file or folder it was about.
  public var path: String
  /// The value of `errno`.
  public var code: Int32

  /// An error from its three parts.
  public init(call: String, path: String, code: Int32) {
    self.call = call
    self.path = path
    self.code = code
  }
}

extension SystemError: CustomStringConvertible {
  /// One sentence: what failed, on what, and where there is one, the way out.
  public var description: String {
    let what = "\(path): \(System.message(code)) (\(call))"
    guard let advice = System.advice(code) else { return what }
    return "\(what); \(advice)"
  }
}
