import Foundation
import Synchronization

/// The program that encodes: ffmpeg.
package enum EncoderProgram {
  private static let reported = Mutex<Set<String>>([])

  /// The ffmpeg that a shell would find.
  package static func find() -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
      .map { URL(filePath: "\($0)/ffmpeg") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Logs a sentence of a framework once.
  package static func report(_ text: String, by framework: String = "VideoToolbox") {
    if reported.withLock({ $0.insert(text).inserted }) { NSLog("%@", "\(framework): \(text).") }
  }
}

/// What an encoder's process writes to its standard error, in a file without a name.
package final class EncoderMessages: Sendable {
  /// The file, for the process.
  package let file: FileHandle

  /// Creates an empty file.
  package init() throws {
    file = try FileHandle(withoutName: FileManager.default.temporaryDirectory)
  }

  /// What the process wrote, in one line; `nil` without a message. Long messages are shortened.
  package var text: String? {
    let bytes: Data
    do {
      try file.seek(toOffset: 0)
      bytes = try file.read(upToCount: 4096) ?? Data()
    } catch { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    return lines.isEmpty ? nil : lines.prefix(3).joined(separator: "; ")
  }
}

extension FileHandle {
  /// Creates a file in a folder, opens it for reading and writing, and removes its name.
  package convenience init(withoutName folder: URL) throws {
    let path = folder.appending(path: "\(UUID().uuidString).encoder").path
    // UNSAFE: the calls read the path. A `FileHandle` of a path cannot create the file.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    unsafe unlink(path)
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
