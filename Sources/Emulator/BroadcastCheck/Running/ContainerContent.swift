import Foundation
import Platform

/// The files and sockets below the folder of a scenario's containers.
struct ContainerContent: Equatable {
  var files: Set<String> = []
  var sockets: Set<String> = []
  /// The sizes of all files together.
  var byteCount = 0

  init() {}

  /// What is there now. A file that vanishes during the search is left out.
  init(below root: String) throws(StorageError) {
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      guard let status = try FileStatus.read(at: "\(root)/\(name)") else { continue }
      switch status.kind {
      case .plainFile:
        files.insert(name)
        byteCount += status.byteCount
      case .socket: sockets.insert(name)
      default: break
      }
    }
  }
}
