import Foundation
import PhoneLink
import Platform

/// The files and sockets below the folder of a scenario's containers.
struct ContainerContent: Equatable {
  /// The sizes of the files in bytes, by path.
  var files: [String: Int] = [:]
  var sockets: Set<String> = []

  init() {}

  /// Reads the current content, except the extension's data container. Skips files that vanish during the search.
  init(below root: String) throws(FileError) {
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init()
    where !name.hasPrefix("Data/") {
      guard let status = try FileStatus.read(at: "\(root)/\(name)") else { continue }
      switch status.kind {
      case .plainFile: files[name] = status.byteCount
      case .socket: sockets.insert(name)
      default: break
      }
    }
  }

  /// Returns the files and sockets that the app has open.
  func open(below root: String, app: Int32?) throws(FileError) -> Set<String> {
    guard let app else { return [] }
    let root = Self.resolved(root)
    let paths = try ProcessSockets.boundPaths(of: app).map(Self.resolved)
    let files = try ProcessFiles.openFiles(of: app)
    return sockets.filter { name in paths.contains { Self.names($0, "\(root)/\(name)") } }
      .union(self.files.keys.filter { files.contains("\(root)/\($0)") })
  }

  private static func resolved(_ path: String) -> String {
    path.hasPrefix("/") ? URL(filePath: path).resolvingSymlinksInPath().path : path
  }

  /// Whether the app has bound the socket at `path` by the name `given`. A relative name, or one below `/proc`, is compared by
  /// its last component.
  private static func names(_ given: String, _ path: String) -> Bool {
    if given.hasPrefix("/"), !given.hasPrefix("/proc/") { return given == path }
    return !given.hasPrefix("@") && given.split(separator: "/").last == path.split(separator: "/").last
  }
}
