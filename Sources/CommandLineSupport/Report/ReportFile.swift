import Foundation
import Platform

extension String {
  /// The text as XML and HTML allow it, in an attribute or between tags.
  package var markup: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "\n"
      default: scalar.properties.generalCategory == .control ? "?" : String(scalar)
      }
    }.joined()
  }

  /// Writes the text as the file of a report. Throws if the file cannot be written.
  ///
  /// - Parameter option: the option that names the file, for the message.
  package func write(toReport path: String, of option: String) throws(ProgramFailure) {
    do { try replaceFile(at: path) } catch {
      throw ProgramFailure(
        .cannotCreate,
        "\(path) cannot be written: \(error.reasonText). Choose another place with \(option).")
    }
  }

  /// Replaces a file in one step, so that a process that ends meanwhile leaves the old one. A device or a pipe is written.
  fileprivate func replaceFile(at path: String) throws {
    let place = URL(filePath: path).resolvingSymlinksInPath()
    let kind = try FileStatus.read(at: place.path)?.kind
    try Data(utf8).write(to: place, options: kind == nil || kind == .plainFile ? .atomic : [])
  }
}

/// The page of a report, which both sides of a broadcast may write.
package enum ReportFile {
  /// Writes the page of a run. Records of the other side of its broadcast, in a page at this path, stay on it.
  static func join(_ record: RunRecord, at path: String) throws(ProgramFailure) {
    do {
      var file = try open(path)
      // The other side may end at the same time, and replaces the file.
      while flock(file.fileDescriptor, LOCK_EX) == 0, try !isFile(file, at: path) {
        file.closeFile()
        file = try open(path)
      }
      defer { file.closeFile() }
      let others = try earlier(in: file).filter { $0.isOtherSide(of: record) }
      try ReportPage((others + [record]).sorted { $0.title < $1.title }).html.replaceFile(at: path)
    } catch {
      throw failure(path, error)
    }
  }

  /// The file at `path`, which is new and empty if there is none.
  private static func open(_ path: String) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
    return try FileHandle(forUpdating: URL(filePath: path))
  }

  private static func isFile(_ file: FileHandle, at path: String) throws -> Bool {
    try System.statusFollowing("/dev/fd/\(file.fileDescriptor)").identity
      == System.statusFollowing(path).identity
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

  /// Writes one page of two reports: the two sides of a broadcast on one axis of time, or a comparison of two runs.
  package static func join(_ first: String, _ second: String, to path: String) throws(ProgramFailure) {
    let records = [try records(of: first), try records(of: second)]
    let all = records[0] + records[1].filter { new in !records[0].contains { $0.isSame(as: new) } }
    let areOneBroadcast = all.indices.dropFirst().allSatisfy { index in
      all[..<index].contains { $0.isOtherSide(of: all[index]) }
    }
    let page =
      areOneBroadcast ? ReportPage(all) : ReportPage(comparing: [(first, records[0]), (second, records[1])])
    try page.html.write(toReport: path, of: "--report")
  }

  private static func records(of path: String) throws(ProgramFailure) -> [RunRecord] {
    let text: String
    do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
      throw ProgramFailure(.inputOutput, "\(path) cannot be read: \(error.reasonText).")
    }
    guard let records = RunRecord.records(in: text), !records.isEmpty else {
      throw ProgramFailure(
        .verificationFailed, "\(path) is no report of this version; name a file that --report wrote.")
    }
    return records
  }
}
