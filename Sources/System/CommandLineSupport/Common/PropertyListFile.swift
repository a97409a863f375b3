import Foundation
import Platform

/// Reads property lists that a person names or a bundle contains, in any form: XML, binary, or the format of Xcode projects.
package enum PropertyListFile {
  package static let limit = 1 << 20

  /// Reads the dictionary in the file. The file is not trusted: a FIFO or a file above `limit` bytes is refused.
  package static func dictionary(_ path: String, limit: Int = limit) throws(ProgramFailure) -> [String: Any] {
    var bytes: [UInt8] = []
    do throws(FileError) {
      // The file may be a link. Opening a FIFO does not wait for a writer.
      let file = try System.open(URL(filePath: path).resolvingSymlinksInPath().path, System.readOnly)
      if try System.status(of: file).kind == .plainFile { bytes = try System.read(file, limit: limit + 1) }
    } catch {
      throw ProgramFailure(error)
    }
    guard bytes.count <= limit, let dictionary = dictionary(in: Data(bytes)) else {
      throw ProgramFailure(.inputOutput, "\(path) is not a property list.")
    }
    return dictionary
  }

  /// Returns the dictionary in `data`; `nil` if `data` is not a property list with one.
  package static func dictionary(in data: Data) -> [String: Any]? {
    // UNSAFE: only the type of the out parameter for the format, which is nil, is unsafe.
    // A list that cannot be parsed is no property list.
    try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  }
}
