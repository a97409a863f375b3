import Foundation
import Platform

/// Reads property lists that a person names or a bundle contains, in any form: XML, binary, or the format of Xcode projects.
package enum PropertyListFile {
  package static let limit = 1 << 20

  /// Reads the dictionary in the file. The file is not trusted: a FIFO or a file larger than `limit` bytes is rejected.
  package static func dictionary(_ path: String, limit: Int = limit) throws(ProgramFailure) -> [String: Any] {
    guard let dictionary = PropertyList.dictionary(in: try bytes(path, limit: limit), limit: limit) else {
      throw ProgramFailure(.inputOutput, "\(path) is not a property list.")
    }
    return dictionary
  }

  /// Returns the dictionary in `data`; `nil` if `data` is not a property list with one.
  package static func dictionary(in data: Data) -> [String: Any]? {
    PropertyList.dictionary(in: Array(data), limit: limit)
  }

  /// Reads at most `limit + 1` bytes of a file. Returns no bytes for a FIFO or a folder.
  package static func bytes(_ path: String, limit: Int) throws(ProgramFailure) -> [UInt8] {
    do throws(FileError) {
      // The file may be a link. Opening a FIFO does not wait for a writer.
      let file = try System.open(URL(filePath: path).resolvingSymlinksInPath().path, System.readOnly)
      return try System.status(of: file).kind == .plainFile ? System.read(file, limit: limit + 1) : []
    } catch {
      throw ProgramFailure(error)
    }
  }
}
