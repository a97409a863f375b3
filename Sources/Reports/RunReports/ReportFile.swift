import CommandLineSupport
import Foundation
import Platform

extension String {
  /// The string escaped for XML and HTML, for an attribute or between tags.
  package var markup: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "\n"
      case "\u{FFFE}", "\u{FFFF}": "?"
      default: scalar.properties.generalCategory == .control ? "?" : String(scalar)
      }
    }.joined()
  }

  /// Writes the string to the file of a report. Throws if the file cannot be written.
  ///
  /// - Parameter option: the option that names the file, for the error message.
  package func write(toReport path: String, of option: String) throws(ProgramFailure) {
    do { try replaceFile(at: path) } catch {
      throw ProgramFailure(
        .cannotCreate,
        "\(path) cannot be written: \(error.reasonText). Choose another place with \(option).")
    }
  }

  /// Replaces a file atomically, so that the old file survives if the process ends in the meantime. Writes directly to a device
  /// or a pipe.
  fileprivate func replaceFile(at path: String) throws {
    // The link of a pipe, such as `/dev/fd/63`, has no path as its target.
    let place = URL(filePath: path)
    guard try ReportFile.isKept(path) else { return try Data(utf8).write(to: place) }
    try Data(utf8).write(to: place.resolvingSymlinksInPath(), options: .atomic)
  }
}

/// The page of a report. Both sides of a broadcast may write to it.
enum ReportFile {
  /// Writes the page of a run. Keeps records of the other side of its broadcast that are in a page at this path.
  static func join(_ record: RunRecord, at path: String) throws(ProgramFailure) {
    do {
      guard try isKept(path) else { return try record.page.replaceFile(at: path) }
      let file = try lock(path)
      defer { file.closeFile() }
      let others = try earlier(in: file).filter { $0.isOtherSide(of: record) }
      try ReportPage((others + [record]).sorted { $0.title < $1.title }).html.replaceFile(at: path)
    } catch {
      throw failure(path, error)
    }
  }

  /// Whether `path` is a plain file or unused. Output to a device or a pipe cannot be read again.
  fileprivate static func isKept(_ path: String) throws -> Bool {
    do { return try System.statusFollowing(path).kind == .plainFile } catch {
      if error.isMissing { return true }
      throw error
    }
  }

  /// Opens and locks the file at `path`, creating it if it is missing.
  private static func lock(_ path: String) throws -> FileHandle {
    while true {
      // UNSAFE: the path is passed to the call as a C string.
      let number = try System.retrying("open", path) {
        unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      }
      let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
      _ = try System.retrying("flock", path) { flock(number, LOCK_EX) }
      // The other side may end at the same time and replace the file.
      let identity = try System.statusFollowing("/dev/fd/\(number)").identity
      if try System.statusFollowing(path).identity == identity { return file }
    }
  }

  private static func earlier(in file: FileHandle) throws -> [RunRecord] {
    guard try file.seekToEnd() > 0 else { return [] }
    try file.seek(toOffset: 0)
    return RunRecord.records(in: String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)) ?? []
  }

  private static func failure(_ path: String, _ error: any Error) -> ProgramFailure {
    ProgramFailure(
      .cannotCreate, "\(path) cannot be written: \(error.reasonText). Choose another place with --report.")
  }
}
