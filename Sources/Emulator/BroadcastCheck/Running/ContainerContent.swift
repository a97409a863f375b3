import Foundation
import Platform

/// The files and sockets below the folder of a scenario's containers.
struct ContainerContent: Equatable {
  var files: Set<String> = []
  var sockets: Set<String> = []

  init() {}

  /// What is there now. A file that vanishes during the search is left out.
  init(below root: String) throws(StorageError) {
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      switch try FileStatus.read(at: "\(root)/\(name)")?.kind {
      case .plainFile: files.insert(name)
      case .socket: sockets.insert(name)
      default: break
      }
    }
  }
}
