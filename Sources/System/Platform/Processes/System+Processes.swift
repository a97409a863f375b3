import Glibc

extension System {
  /// Replaces the program of this process by the one at `path`, with `arguments` after its name. The corresponding C
  /// function is `execv`.
  package static func replaceProcess(by path: String, _ arguments: [String]) throws(SystemError) -> Never {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    // UNSAFE: each word is a copy of its own, and the list ends with a null.
    _ = unsafe execv(path, &words)
    let errno = Errno.current
    unsafe words.forEach { unsafe free($0) }
    throw SystemError(call: "execv", path: path, errno: errno)
  }
}
