/// A version of ffmpeg that `Tests/ffmpegs` has fetched.
package enum FetchedFFmpeg {
  /// The oldest version, a version in between, and the newest version.
  package static let versions = ["4.2", "7.0", "9.0"]

  private static func folder(_ version: String) -> String { ".build/ffmpeg/\(version)" }

  /// Cancels the test if this version is missing.
  package static func require(_ version: String) throws {
    if !FileManager.default.isExecutableFile(atPath: "\(folder(version))/ffmpeg") {
      try Test.cancel("there is no ffmpeg \(version) in \(folder(version)); run Tests/ffmpegs")
    }
  }

  /// Prepends the folder of this version to the `PATH` of this process.
  package static func use(_ version: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // UNSAFE: the call copies both strings.
    unsafe setenv("PATH", "\(folder(version)):\(path)", 1)
  }
}
