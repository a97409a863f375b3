import Foundation
import Platform
import Synchronization

/// The program that encodes (ffmpeg).
package struct EncoderProgram: Sendable {
  private static let reported = Mutex<Set<String>>([])

  package let url: URL
  /// How long a process of the program may be idle while its output is awaited.
  package let waitLimit: Duration

  package init(url: URL, waitLimit: Duration = .seconds(5)) {
    self.url = url
    self.waitLimit = waitLimit
  }

  /// Returns the ffmpeg that a shell would find.
  package static func find() -> EncoderProgram? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
      .map { URL(filePath: "\($0)/ffmpeg") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
      .map { EncoderProgram(url: $0) }
  }

  /// Logs a message of a framework once.
  package static func report(_ text: String, by framework: String = "VideoToolbox") {
    if reported.withLock({ $0.insert(text).inserted }) { NSLog("%@", "\(framework): \(text).") }
  }
}

extension FileHandle {
  /// Creates a file in the emulator's temporary folder, opens it for reading and writing, and removes its name.
  package convenience init(withoutName: Void) throws {
    let path = System.temporaryFolder.appending(path: "\(UUID().uuidString).encoder").path
    let file = try System.open(path, System.createNew)
    try System.remove(path)
    let copy = try file.retrying("fcntl") { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    self.init(fileDescriptor: copy, closeOnDealloc: true)
  }
}
