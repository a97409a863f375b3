import Foundation
import Platform

/// A file that a command line names, and what the program does with it.
///
///     try [.writes("--report", "a"), .reads("--source", "./a")].checkDiffer()     // throws
package struct NamedFile: Sendable {
  private enum Use { case reads, writes, makes, prints, holds }

  /// The option or the subcommand; for a file of the container, "the container".
  private let name: String
  /// The path, or `-` for standard input or output; `nil` if the option was not given.
  package let path: String?
  private let use: Use

  package static func reads(_ name: String, _ path: String?) -> Self {
    Self(name: name, path: path, use: .reads)
  }

  package static func writes(_ name: String, _ path: String?) -> Self {
    Self(name: name, path: path, use: .writes)
  }

  /// A folder that is made if it does not exist, with those above it.
  package static func makes(_ name: String, _ path: String?) -> Self {
    Self(name: name, path: path, use: .makes)
  }

  /// Standard output, if the flag `name` that prints there was given.
  package static func prints(_ name: String, _ isGiven: Bool) -> Self {
    Self(name: name, path: isGiven ? "-" : nil, use: .prints)
  }

  fileprivate static func held(_ path: String) -> Self {
    Self(name: "the container", path: path, use: .holds)
  }

  /// Whether it is an output to standard output, under one of its names.
  package var isStandardOutput: Bool {
    guard let path, isOutput else { return false }
    return ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  private var isOutput: Bool { use == .writes || use == .prints }

  /// What two names of one file have in common.
  fileprivate enum Place: Equatable {
    case standardOutput
    case file(FileStatus.Identity)
    /// The place of a file that does not exist yet.
    case name(String, folder: FileStatus.Identity)
  }

  /// The place of the file; `nil` if it cannot be destroyed, as a character device or a pipe that is read.
  fileprivate var place: Place? {
    // The parser refuses an empty path.
    guard let path, !path.isEmpty else { return nil }
    let stream = isStandardOutput ? "/dev/fd/1" : path == "-" ? "/dev/fd/0" : nil
    do throws(FileError) {
      let status = try System.statusFollowing(stream ?? path)
      let isShared = status.kind == .characterDevice || (!isOutput && status.kind != .plainFile)
      guard isShared else { return .file(status.identity) }
    } catch {
      if stream == nil, error.isMissing { return Self.newPlace(path) }
    }
    return isStandardOutput ? .standardOutput : nil
  }

  /// The folder of a path; `.` for a name alone.
  private static func folder(of path: String) -> String {
    let path = path.hasSuffix("/") ? path.dropLast() : path[...]
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  /// The place of a file that does not exist: its name in its folder, or what the link of that name points to.
  private static func newPlace(_ path: String) -> Place? {
    let folder = folder(of: path)
    // An error says only that there is no link.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return newPlace(target.hasPrefix("/") ? target : "\(folder)/\(target)")
    }
    do throws(FileError) {
      return .name(
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]),
        folder: try System.statusFollowing(folder).identity)
    } catch {
      // The program reports it when it opens the file.
      return nil
    }
  }

  /// Why this file and an earlier one of the same place exclude each other; `nil` if both are only read.
  fileprivate func conflict(with earlier: Self) -> String? {
    guard isOutput || earlier.isOutput else { return nil }
    if isStandardOutput, earlier.isStandardOutput {
      return "\(earlier.text) and \(text) both write to standard output; leave one out."
    }
    let (output, other) = isOutput ? (self, earlier) : (earlier, self)
    let path = ((output.isStandardOutput ? other.path : output.path) ?? "").quoted
    return other.isOutput
      ? "\(other.name) and \(output.name) both write \(path); name another file for one."
      : "\(output.name) would overwrite \(path), which \(other.name) \(other.use); name another file."
  }

  /// Why the file cannot be written or the folder not be made, with the code of the error; `nil` if it can, or is not known
  /// before it is opened.
  private static func obstacle(at path: String, isFolder: Bool) -> (code: Int32, reason: String)? {
    do throws(FileError) {
      guard try (System.statusFollowing(path).kind == .folder) == isFolder else {
        return isFolder ? (ENOTDIR, "\(path) is not a folder") : (EISDIR, "it is a folder")
      }
      return FileManager.default.isWritableFile(atPath: path) ? nil : (EACCES, "\(path) is not writable")
    } catch {
      guard error.isMissing else { return (error.code, "\(error.errno)") }
    }
    let folder = folder(of: path)
    // The folders above a folder are made, but not that of a file.
    guard isFolder || FileManager.default.fileExists(atPath: folder) else {
      return (ENOENT, "its folder does not exist")
    }
    return obstacle(at: folder, isFolder: true)
  }

  /// Throws if an output cannot be written or a folder not be made, so that no run is lost for it.
  fileprivate func checkWritable() throws(ProgramFailure) {
    let isFolder = use == .makes
    guard let path, isFolder || (use == .writes && !isStandardOutput),
      let (code, reason) = Self.obstacle(at: path, isFolder: isFolder)
    else { return }
    let (verb, other) = isFolder ? ("made", "folder") : ("written", "file")
    let option = name.hasPrefix("-") ? " with \(name)" : ""
    throw ProgramFailure(
      errno: code, "\(path) cannot be \(verb): \(reason). Name another \(other)\(option).")
  }

  private var text: String { use == .prints ? name : "\(name) \(path ?? "")" }
}

extension [NamedFile] {
  /// Throws if an output is another file of the list: one would destroy the other.
  package func checkDiffer() throws(UsageError) {
    var earlier: [(file: NamedFile, place: NamedFile.Place)] = []
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
    let files = filter { !$0.isStandardOutput } + paths.map(NamedFile.held)
    do throws(UsageError) { try files.checkDiffer() } catch {
      throw ProgramFailure(error)
    }
  }
}
