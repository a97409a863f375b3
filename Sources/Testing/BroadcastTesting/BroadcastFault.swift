import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast

/// A fault from outside that a test applies to a broadcast.
public enum BroadcastFault: Sendable, Equatable {
  /// A process of the broadcast.
  public enum Side: String, Sendable { case `extension`, app }

  /// Kills a process, as the system does: SIGKILL.
  case kill(Side)
  /// Stops a process, as a debugger does: SIGSTOP.
  case suspend(Side)
  /// Continues a stopped process: SIGCONT.
  case resume(Side)
  /// Truncates a file to `byteCount` bytes. The path is relative to ``TestBroadcast/containerFolder``.
  case truncate(String, byteCount: Int)
  /// Fills the file system of the container. Requires the parameter `diskSpace`.
  case fillDisk
  /// Frees the space that ``fillDisk`` took.
  case emptyDisk
  /// Sets the flag from outside.
  case setFlag(Bool)

  /// The reason why a fault could not be applied.
  package struct UnsupportedFault: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }
}

extension AppGroupContainer {
  /// Sets the flag as another process would.
  package func setFlag(_ value: Bool) throws(BroadcastFault.UnsupportedFault) {
    do {
      try KeyValueFile(container: self).set(value, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      throw BroadcastFault.UnsupportedFault("The flag cannot be set: \(error).")
    }
  }

  /// Truncates a file of the container.
  package func truncate(_ name: String, toByteCount byteCount: Int) throws(BroadcastFault.UnsupportedFault) {
    let path = "\(folder)/\(name)"
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { file.closeFile() }
      try file.truncate(atOffset: UInt64(max(0, byteCount)))
    } catch {
      throw BroadcastFault.UnsupportedFault("\(path) cannot be truncated: \(error.reasonText)")
    }
  }
}
