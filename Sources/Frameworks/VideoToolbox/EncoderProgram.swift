import Foundation
import Synchronization

/// The program that encodes: ffmpeg.
enum EncoderProgram {
  private static let reported = Mutex<Set<String>>([])

  /// The ffmpeg that a shell would find.
  static func find() -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
      .map { URL(filePath: "\($0)/ffmpeg") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Logs a sentence once.
  static func report(_ text: String) {
    if reported.withLock({ $0.insert(text).inserted }) { NSLog("%@", "VideoToolbox: \(text).") }
  }
}
