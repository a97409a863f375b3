import CommandLineSupport
import Foundation

/// A stream into a pipe, whose text can be taken once.
struct CollectedStream {
  private let pipe = Pipe()
  let stream: StandardStream

  init() { stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor) }

  /// Everything written so far; the stream is of no use afterwards.
  func text() throws -> String {
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  /// Makes the reader leave.
  func closeReader() throws { try pipe.fileHandleForReading.close() }
}
