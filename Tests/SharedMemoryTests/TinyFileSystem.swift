import Foundation
import TestSupport

/// A file system of one mebibyte, unmounted with its owner. Only root can make one, and not in every sandbox.
final class TinyFileSystem {
  static let isAvailable: Bool = (try? TinyFileSystem()) != nil

  struct NotMounted: Error {}

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    guard try Self.run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", folder.path) == 0 else {
      throw NotMounted()
    }
  }

  deinit { _ = try? Self.run("umount", "-l", folder.path) }

  private static func run(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
