import Foundation
import Platform

/// A file that a command line names, and what the program does with it: the option or the subcommand, and the path, `nil` if
/// the option was not given. The path `-` is standard input or output.
///
///     try [.writes("--report", "a"), .reads("--source", "./a")].checkDiffer()     // throws
package enum NamedFile: Sendable {
  case reads(String, String?)
  case writes(String, String?)
  /// A folder that is made if it does not exist, with the folders above it.
  case makes(String, String?)
  /// Standard output, if the flag that prints there was given.
  case prints(String, Bool)
  /// A file of the container.
  case holds(String)

  /// Who uses which file, and how, as a sentence says it.
  private var use: (name: String, verb: String, path: String?) {
    switch self {
    case .reads(let name, let path): (name, "reads", path)
    case .writes(let name, let path): (name, "writes", path)
    case .makes(let name, let path): (name, "makes", path)
    case .prints(let name, let isGiven): (name, "prints", isGiven ? "-" : nil)
    case .holds(let path): ("the container", "holds", path)
    }
  }

  private var isOutput: Bool { ["writes", "prints"].contains(use.verb) }

  /// Whether it is an output to standard output, under one of its names.
  package var isStandardOutput: Bool {
    isOutput && ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(use.path)
  }

  /// What a path leads to, through links: a file or folder, or the name of a new file in a folder.
  private enum Target { case existing(FileStatus), new(String, in: String) }

  private static func target(of path: String) throws(FileError) -> Target {
    do throws(FileError) { return .existing(try System.statusFollowing(path)) } catch {
      guard error.isMissing else { throw error }
    }
    let way = path.hasSuffix("/") ? path.dropLast() : path[...]
    let slash = way.lastIndex(of: "/")
    let folder = slash.map { String(way[...$0]) } ?? "."
    // An error says only that there is no link.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return try self.target(of: target.hasPrefix("/") ? target : "\(folder)/\(target)")
    }
    return .new(String(slash.map { way[way.index(after: $0)...] } ?? way), in: folder)
  }

  /// What all names of the file have in common; `nil` if it cannot be destroyed, as a character device or a pipe that is read, or
  /// is not known: then the program reports it when it opens the file.
  fileprivate var place: String? {
    // The parser refuses an empty path.
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

  /// Why this file and an earlier one of the same place exclude each other; `nil` if both are only read.
  fileprivate func conflict(with earlier: Self) -> String? {
    guard isOutput || earlier.isOutput else { return nil }
    let (output, other) = isOutput ? (self, earlier) : (earlier, self)
    // One of two names of standard output may be a path, which the shell has redirected to.
    let path = [output, other].first { !$0.isStandardOutput }?.use.path
    return "\(output.use.name) would overwrite \(path?.quoted ?? "standard output"), which \(other.use.name) "
      + "\(other.use.verb); name another file."
  }

  /// Why the file cannot be written or the folder not be made, with the code of the error; `nil` if it can, or is not known
  /// before it is opened.
  private static func obstacle(at path: String, isFolder: Bool) -> (code: Int32, reason: String)? {
    do throws(FileError) {
      switch try target(of: path) {
      case .existing(let status) where (status.kind == .folder) != isFolder:
        return isFolder ? (ENOTDIR, "\(path) is not a folder") : (EISDIR, "it is a folder")
      case .existing:
        return FileManager.default.isWritableFile(atPath: path) ? nil : (EACCES, "\(path) is not writable")
      case .new(_, let folder):
        // The folders above a folder are made, but not the folder of a file.
        return isFolder || FileManager.default.fileExists(atPath: folder)
          ? obstacle(at: folder, isFolder: true) : (ENOENT, "its folder does not exist")
      }
    } catch { return (error.code, "\(error.errno)") }
  }

  /// Throws if an output cannot be written or a folder not be made, so that no run is lost for it.
  fileprivate func checkWritable() throws(ProgramFailure) {
    let (verb, kind): (String, String)
    switch self {
    case .writes where !isStandardOutput: (verb, kind) = ("written", "file")
    case .makes: (verb, kind) = ("made", "folder")
    default: return
    }
    guard let path = use.path, let (code, reason) = Self.obstacle(at: path, isFolder: kind == "folder")
    else { return }
    throw ProgramFailure(
      errno: code, "\(path) cannot be \(verb): \(reason). Name another \(kind) with \(use.name).")
  }
}

extension [NamedFile] {
  /// Throws if an output is another file of the list: one would destroy the other.
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

  /// Throws if an output cannot be written, or a folder not be made.
  package func checkWritable() throws(ProgramFailure) {
    for file in self { try file.checkWritable() }
  }

  /// Throws if an output is one of the files of the container. Standard output may be one, as the log of a producer that the
  /// app launched: whoever redirected it has opened the file.
  package func checkDiffer(fromContainer paths: [String]) throws(ProgramFailure) {
    let files = filter { !$0.isStandardOutput } + paths.map(NamedFile.holds)
    do throws(UsageError) { try files.checkDiffer() } catch {
      throw ProgramFailure(error)
    }
  }
}
