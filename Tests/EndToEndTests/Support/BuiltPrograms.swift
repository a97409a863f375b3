import Foundation

/// The programs of this package, which the build of the tests also builds.
enum BuiltPrograms {
  static let producer = folder.appending(path: "producer")
  static let consumer = folder.appending(path: "consumer")
  static let probeExtension = folder.appending(path: "ProbeExtension")
  static let benchmark = folder.appending(path: "benchmark")

  /// The folder of the build's products, which also holds the tests' bundle.
  private static let folder: URL = {
    let bundles =
      Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      + [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])].compactMap { $0 }
    let folders = bundles.map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }
    let found = folders.first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: "producer").path)
    }
    return found ?? package.appending(path: ".build/debug")
  }()

  /// The folder of the package's sources.
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
