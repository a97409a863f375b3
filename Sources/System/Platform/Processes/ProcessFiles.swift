/// The files in which Linux tells of a process.
package enum ProcessFiles {
  /// More than a process with the most mappings there may be (65 530) has to tell.
  private static let sizeLimit = 128 << 20

  /// The path of a file about a process, this one for `nil`.
  package static func path(_ name: String, of pid: Int32?) -> String {
    "/proc/\(pid.map { "\($0)" } ?? "self")/\(name)"
  }

  /// All of a file: the kernel hands it out in pieces.
  package static func text(_ path: String) throws(StorageError) -> String {
    do {
      let file = try System.open(path, System.readOnly)
      return String(decoding: try System.read(file, limit: sizeLimit), as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// A line such as `Rss:   20 kB`: its title and the bytes.
  package static func amount(_ line: Substring) -> (title: Substring, bytes: UInt64)? {
    let words = line.split(separator: " ")
    guard words.count == 3, words[2] == "kB", let kilobytes = UInt64(words[1]) else { return nil }
    return (words[0], kilobytes << 10)
  }
}
