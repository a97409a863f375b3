import CEmbeddedFiles

/// Files that a program carries.
///
/// Clang's `#embed` puts them there. SwiftPM's `.embedInCode` writes an array literal of numbers instead, whose compilation takes
/// forty processor seconds for the page.
package struct EmbeddedFiles: Sendable {
  private let files: [String: [UInt8]]

  /// Reads a table, whose last entry has no name.
  @unsafe package init(_ table: UnsafePointer<embedded_file>) {
    var files: [String: [UInt8]] = [:]
    var file = unsafe table
    while let name = unsafe file.pointee.name {
      unsafe files[String(cString: name)] = Array(
        UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count))
      unsafe file += 1
    }
    self.files = files
  }

  /// Traps for a file that is not there.
  package subscript(_ name: String) -> [UInt8] {
    guard let bytes = files[name] else { preconditionFailure("\(name) is not embedded") }
    return bytes
  }
}
