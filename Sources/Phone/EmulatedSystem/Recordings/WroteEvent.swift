import CommandLineSupport
import Foundation

/// The handler has left a file in the extension's data container (Docs/YourExtension.md#files), or has written to a file of
/// its group or to a connection after its last call.
package struct WroteEvent: JSONEvent, Codable, Equatable {
  package static let event = "wrote"
  /// The path of the file, or the address of the connection.
  package var file: String
  /// The size of the file, or the number of bytes sent over the connection.
  package var bytes: Int
  /// The seconds from the handler's last call to the write; `nil` below 0.1 s.
  package var secondsAfterEnd: Double?

  package init(file: String, bytes: Int, secondsAfterEnd: Double? = nil) {
    self.file = file
    self.bytes = bytes
    self.secondsAfterEnd = secondsAfterEnd
  }

  /// Returns a sentence for people about the files that a broadcast left in a folder; `nil` if there are none.
  package static func sentence(_ events: [WroteEvent], in folder: String) -> String? {
    guard !events.isEmpty else { return nil }
    let names = events.prefix(3).map { event in
      let name =
        event.file.hasPrefix(folder + "/") ? String(event.file.dropFirst(folder.count + 1)) : event.file
      return "\(name) (\(size(of: event.bytes)))"
    }
    let others = events.count - names.count
    let more = others == 0 ? "" : " and \(others) other \(others == 1 ? "file" : "files")"
    return "The handler left \(names.joined(separator: ", "))\(more) in \(folder)."
  }

  private static func size(of bytes: Int) -> String {
    bytes < 1000
      ? "\(bytes) bytes"
      : bytes < 1_000_000
        ? "\((Double(bytes) / 1000).text(decimals: 1)) kB"
        : "\((Double(bytes) / 1_000_000).text(decimals: 1)) MB"
  }
}
