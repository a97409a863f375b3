/// The files in which Linux describes a process.
package enum ProcessFiles {
  /// More than the text of a process with the most mappings (65,530).
  private static let sizeLimit = 128 << 20

  /// The path of a file about a process; this one for `nil`.
  package static func path(_ name: String, of pid: Int32?) -> String {
    "/proc/\(pid.map { "\($0)" } ?? "self")/\(name)"
  }

  /// The whole file, which the kernel returns in pieces.
  package static func text(_ path: String) throws(StorageError) -> String {
    do {
      let file = try System.open(path, System.readOnly)
      return String(decoding: try System.read(file, limit: sizeLimit), as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// The title and the bytes of a line such as `Rss:   20 kB`.
  package static func amount(_ line: Substring) -> (title: Substring, bytes: UInt64)? {
    let words = line.split(separator: " ")
    guard words.count == 3, words[2] == "kB", let kilobytes = UInt64(words[1]) else { return nil }
    return (words[0], kilobytes << 10)
  }
}

/// The state of a process, from `/proc`.
public enum ProcessState {
  /// Whether the process exists and is stopped, as by SIGSTOP.
  public static func isStopped(_ pid: Int32) -> Bool { ["T", "t"].contains(fields(of: pid).first) }

  /// The process that launched a process, or adopted it; `nil` if there is no such process.
  static func parent(of pid: Int32) -> Int32? { fields(of: pid).dropFirst().first.flatMap { Int32($0) } }

  /// The fields of the file `stat` from the state on; none if the process has exited, which its lock shows.
  private static func fields(of pid: Int32) -> [Substring] {
    do {
      let text = try ProcessFiles.text(ProcessFiles.path("stat", of: pid))
      // The name in parentheses may contain anything.
      guard let end = text.lastIndex(of: ")") else { return [] }
      return text[text.index(after: end)...].split(separator: " ")
    } catch {
      return []
    }
  }
}
