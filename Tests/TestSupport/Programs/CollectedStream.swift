/// A stream into a pipe. Its text can be read once.
package struct CollectedStream {
  private let pipe = ProcessLauncher.makePipe()
  package let stream: StandardStream

  package init() { stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor) }

  /// Returns the text written so far. The stream cannot be used afterwards.
  package func text() throws -> String {
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  package func closeReader() throws { try pipe.fileHandleForReading.close() }
}
