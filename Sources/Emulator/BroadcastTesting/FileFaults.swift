import Foundation
import Platform

extension BroadcastRun {
  /// Cuts a file of the container.
  func truncate(_ name: String, _ byteCount: Int) throws {
    let path = "\(folder.container)/\(name)"
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: UInt64(max(0, byteCount)))
      try file.close()
    } catch {
      throw failure(.faultImpossible, "\(path) cannot be cut: \(error.localizedDescription)")
    }
  }
}
