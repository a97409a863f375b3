import Foundation
import Testing

/// A version of ffmpeg that `Tests/ffmpegs` has fetched.
package enum FetchedFFmpeg {
  /// The oldest, a middle and the newest version.
  package static let versions = ["4.2", "7.0", "9.0"]

  private static func folder(_ version: String) -> String { ".build/ffmpeg/\(version)" }

  /// Cancels a test without this version.
  package static func require(_ version: String) throws {
    if !FileManager.default.isExecutableFile(atPath: "\(folder(version))/ffmpeg") {
      try Test.cancel("there is no ffmpeg \(version) in \(folder(version)); run Tests/ffmpegs")
    }
  }

  /// Makes the version the `ffmpeg` of this process.
  package static func use(_ version: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // UNSAFE: the call copies both texts.
    unsafe setenv("PATH", "\(folder(version)):\(path)", 1)
  }
}
