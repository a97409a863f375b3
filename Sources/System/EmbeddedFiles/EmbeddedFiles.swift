import CEmbeddedFiles

/// Text files that a program carries.
///
/// Clang's `#embed` puts them there. SwiftPM's `.embedInCode` writes an array literal of numbers instead, whose compilation takes
/// forty processor seconds for the page.
package struct EmbeddedFiles: Sendable {
  /// The bytes of each file by its name, without its folder.
  private let files: [String: [UInt8]]

  /// Reads a table, whose last entry has no path.
  @unsafe package init(_ table: UnsafePointer<embedded_file>) {
    var files: [String: [UInt8]] = [:]
    var file = unsafe table
    while let path = unsafe file.pointee.path, let text = unsafe file.pointee.text {
      let name = unsafe String(cString: path).split(separator: "/").last.map(String.init)
      files[name ?? ""] = unsafe Array(String(cString: text).utf8)
      unsafe file += 1
    }
    self.files = files
  }

  /// The names of all files.
  package var names: [String] { files.keys.sorted() }

  /// Traps for a file that is not there.
  package subscript(_ name: String) -> [UInt8] {
    guard let bytes = files[name] else { preconditionFailure("\(name) is not embedded") }
    return bytes
  }
}
