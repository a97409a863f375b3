import Foundation
import ReplayKit

/// Names and files that the extension and its app share.
enum Group {
  static let identifier = "group.com.example.screenshare.dev"
  static let frameNotification = "com.example.screenshare.frame"

  /// Returns the URL of a file in the group's folder.
  static func file(_ name: String) -> URL {
    let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
    return (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent(name)
  }

  /// Returns the URL of a new file for a recording in the group's folder.
  static func recording() throws -> URL {
    let folder = file("recordings")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("\(UUID().uuidString).mp4")
  }

  static var socket: String { file("app.socket").path }

  /// The port on which the app listens; 0 before it has stored one.
  static var port: UInt16? {
    get { UserDefaults(suiteName: identifier).flatMap { UInt16(exactly: $0.integer(forKey: "port")) } }
    set { UserDefaults(suiteName: identifier)?.set(Int(newValue ?? 0), forKey: "port") }
  }

  static func error(_ text: String) -> NSError {
    NSError(domain: "RightHandlers", code: 1, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

/// The address of a Unix socket, for the calls that take one.
func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
