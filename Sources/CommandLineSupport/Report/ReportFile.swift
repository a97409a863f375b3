import Foundation

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
    do { try Data(utf8).write(to: URL(filePath: path)) } catch {
      throw ProgramFailure(
        .cannotCreate,
        "\(path) cannot be written: \(error.reasonText). Choose another place with \(option).")
    }
  }

  /// Throws if the folder of the file at this path does not exist or cannot be written.
  package func checkFolderOfOutput() throws(ProgramFailure) {
    let folder = URL(fileURLWithPath: self).deletingLastPathComponent().path
    guard !FileManager.default.isWritableFile(atPath: folder) else { return }
    let isThere = FileManager.default.fileExists(atPath: folder)
    throw ProgramFailure(
      errno: isThere ? EACCES : ENOENT,
      "\(self) cannot be written: its folder \(isThere ? "is not writable" : "does not exist"); "
        + "name another file.")
  }
}
