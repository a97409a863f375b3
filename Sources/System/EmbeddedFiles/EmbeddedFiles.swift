import CEmbeddedFiles

/// Text files embedded in a program.
///
/// Clang's `#embed` embeds them. SwiftPM's `.embedInCode` would write an array literal of numbers. For the page that takes 40 s
/// of CPU time to compile.
package struct EmbeddedFiles: Sendable {
  /// The bytes of each file, by its name without a folder.
  private let files: [String: [UInt8]]

  /// Reads a table. Its last entry has a null path.
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

  /// The bytes of a file. Traps if there is no file of this name.
  package subscript(_ name: String) -> [UInt8] {
    guard let bytes = files[name] else { preconditionFailure("\(name) is not embedded") }
    return bytes
  }
}
