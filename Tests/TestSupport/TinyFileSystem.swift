import Foundation

/// A file system of one mebibyte, unmounted with its owner. Only root can make one, and not in every sandbox.
package final class TinyFileSystem {
  package static let isAvailable: Bool = (try? TinyFileSystem()) != nil

  package struct NotMounted: Error {}

  private let folder: TemporaryFolder
  package var path: String { folder.path }

  package init() throws {
    folder = try TemporaryFolder()
    guard try Self.run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", folder.path) == 0 else {
      throw NotMounted()
    }
  }

  deinit { _ = try? Self.run("umount", "-l", folder.path) }

  /// Takes all the room that is left.
  package func fillUp() throws {
    let file = try FileHandle(forWritingTo: try made(filler))
    defer { file.closeFile() }
    let page = [UInt8](repeating: 1, count: 4096)
    // It ends by the error of a full file system.
    while (try? file.write(contentsOf: page)) != nil {}
  }

  /// Gives the room back that ``fillUp()`` took.
  package func makeRoom() throws { try FileManager.default.removeItem(at: filler) }

  private var filler: URL { URL(filePath: path + "/filler") }

  private func made(_ file: URL) throws -> URL {
    try Data().write(to: file)
    return file
  }

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
