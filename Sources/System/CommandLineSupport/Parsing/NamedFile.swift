import Foundation
import Platform

/// A file named by a command line, and its use. Each case has the option or subcommand, and the path (`nil` if it is
/// missing). The path `-` is stdin or stdout.
///
///     try [.writes("--report", "a"), .reads("--source", "./a")].checkDiffer()     // throws
package enum NamedFile: Sendable {
  case reads(String, String?)
  case writes(String, String?)
  /// A folder that is created if it does not exist, including the folders above it.
  case makes(String, String?)
  /// Stdout, if the flag that prints there was given.
  case prints(String, Bool)
  /// A file of the container.
  case holds(String)

  /// The name, the verb and the path for an error message.
  private var use: (name: String, verb: String, path: String?) {
    switch self {
    case .reads(let name, let path): (name, "reads", path)
    case .writes(let name, let path): (name, "writes", path)
    case .makes(let name, let path): (name, "makes", path)
    case .prints(let name, let isGiven): (name, "prints", isGiven ? "-" : nil)
    case .holds(let path): ("the container", "holds", path)
    }
  }

  /// Returns the path that the option `name` was given, or the path of an operand if it is `word`; otherwise `nil`.
  func path(for name: String, or word: String) -> String? {
    use.name == name || !use.name.hasPrefix("-") && use.path == word ? use.path : nil
  }

  private var isOutput: Bool { ["writes", "prints"].contains(use.verb) }

  /// Whether this is an output to stdout, under any of its names.
  package var isStandardOutput: Bool {
    isOutput && ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(use.path)
  }

  /// The target of a path after following links: a file or folder, or the name of a new file in a folder.
  private enum Target { case existing(FileStatus), new(String, in: String) }

  private static func target(of path: String) throws(FileError) -> Target {
    do throws(FileError) { return .existing(try System.statusFollowing(path)) } catch {
      guard error.isMissing else { throw error }
    }
    let way = path.hasSuffix("/") ? path.dropLast() : path[...]
    let slash = way.lastIndex(of: "/")
    let folder = slash.map { String(way[...$0]) } ?? "."
    // An error only means that the path is not a link.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return try self.target(of: target.hasPrefix("/") ? target : "\(folder)/\(target)")
    }
    return .new(String(slash.map { way[way.index(after: $0)...] } ?? way), in: folder)
  }

  /// A string that is equal for all names of the same file. `nil` if writing cannot destroy the file (such as a character device,
  /// or a pipe that is read), or if it is unknown. In that case the program reports the error when it opens the file.
  fileprivate var place: String? {
    // The parser rejects an empty path.
    guard let path = use.path, !path.isEmpty else { return nil }
    let stream = isStandardOutput ? "/dev/fd/1" : path == "-" ? "/dev/fd/0" : nil
    do throws(FileError) {
      switch try Self.target(of: stream ?? path) {
      case .existing(let status):
        let isShared = status.kind == .characterDevice || (!isOutput && status.kind != .plainFile)
        guard isShared else { return "\(status.identity)" }
      case .new(let name, let folder): return "\(try System.statusFollowing(folder).identity)/\(name)"
      }
    } catch {}
    return isStandardOutput ? "-" : nil
  }

  /// Returns why this file and an earlier use of the same file exclude each other; `nil` if both are only read.
  fileprivate func conflict(with earlier: Self) -> String? {
    guard isOutput || earlier.isOutput else { return nil }
    let (output, other) = isOutput ? (self, earlier) : (earlier, self)
    // If both are stdout, one may be named by the path to which the shell has redirected it.
    let path = [output, other].first { !$0.isStandardOutput }?.use.path
    return "\(output.use.name) would overwrite \(path?.quoted ?? "stdout"), which \(other.use.name) "
      + "\(other.use.verb); name another file."
  }

  /// Returns why the file cannot be written, or why the folder cannot be created, with the `errno`. `nil` if it can, or if that
  /// is unknown before it is opened.
  private static func obstacle(at path: String, isFolder: Bool) -> (code: Int32, reason: String)? {
    do throws(FileError) {
      switch try target(of: path) {
      case .existing(let status) where (status.kind == .folder) != isFolder:
        return isFolder ? (ENOTDIR, "\(path) is not a folder") : (EISDIR, "it is a folder")
      case .existing:
        return FileManager.default.isWritableFile(atPath: path) ? nil : (EACCES, "\(path) is not writable")
      case .new(_, let folder):
        // Missing parent folders are created for a folder, but not for a file.
        return isFolder || FileManager.default.fileExists(atPath: folder)
          ? obstacle(at: folder, isFolder: true) : (ENOENT, "its folder does not exist")
      }
    } catch { return (error.code, "\(error.errno)") }
  }

  /// Throws if an output cannot be written or a folder cannot be created, so that the error comes before a run and not after it.
  fileprivate func checkWritable() throws(ProgramFailure) {
    let (verb, kind): (String, String)
    switch self {
    case .writes where !isStandardOutput: (verb, kind) = ("written", "file")
    case .makes: (verb, kind) = ("created", "folder")
    default: return
    }
    guard let path = use.path, let (code, reason) = Self.obstacle(at: path, isFolder: kind == "folder")
    else { return }
    throw ProgramFailure(
      errno: code, "\(path) cannot be \(verb): \(reason). Name another \(kind) with \(use.name).")
  }
}

extension [NamedFile] {
  /// Throws if an output is the same file as another one in the list, because one would destroy the other.
  package func checkDiffer() throws(UsageError) {
    var earlier: [(file: NamedFile, place: String)] = []
    for file in self {
      guard let place = file.place else { continue }
      for other in earlier where other.place == place {
        if let conflict = file.conflict(with: other.file) { throw UsageError(conflict) }
      }
      earlier.append((file, place))
    }
  }

  /// Throws if an output cannot be written or a folder cannot be created.
  package func checkWritable() throws(ProgramFailure) {
    for file in self { try file.checkWritable() }
  }

  /// Throws if an output is a file of the container. Stdout may be one, for example the log of a producer that the app launched,
  /// because whoever redirected it has opened the file deliberately.
  package func checkDiffer(fromContainer paths: [String]) throws(ProgramFailure) {
    let files = filter { !$0.isStandardOutput } + paths.map(NamedFile.holds)
    do throws(UsageError) { try files.checkDiffer() } catch {
      throw ProgramFailure(error)
    }
  }
}
