import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast

/// Damage from outside to a broadcast under test.
public enum BroadcastFault: Sendable, Equatable {
  /// A process of the broadcast.
  public enum Side: String, Sendable { case `extension`, app }

  /// Kills a process, as the system does: SIGKILL.
  case kill(Side)
  /// Stops a process, as a debugger does: SIGSTOP.
  case suspend(Side)
  /// Lets a stopped process run again: SIGCONT.
  case resume(Side)
  /// Cuts a file to `byteCount` bytes. The path is relative to ``TestBroadcast/containerFolder``.
  case truncate(String, byteCount: Int)
  /// Fills the file system of the container, which needs the parameter `diskSpace`.
  case fillDisk
  /// Gives back the space that ``fillDisk`` took.
  case emptyDisk
  /// Sets the flag from outside.
  case setFlag(Bool)

  /// Why a fault could not be made.
  package struct Impossible: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }
}

extension AppGroupContainer {
  /// Sets the flag as another process would.
  package func setFlag(_ value: Bool) throws(BroadcastFault.Impossible) {
    do {
      try KeyValueFile(container: self).set(value, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      throw BroadcastFault.Impossible("The flag cannot be set: \(error).")
    }
  }

  /// Cuts a file of the container.
  package func truncate(_ name: String, toByteCount byteCount: Int) throws(BroadcastFault.Impossible) {
    let path = "\(folder)/\(name)"
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { file.closeFile() }
      try file.truncate(atOffset: UInt64(max(0, byteCount)))
    } catch {
      throw BroadcastFault.Impossible("\(path) cannot be cut: \(error.reasonText)")
    }
  }
}
