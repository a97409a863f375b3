import Platform
import ScreenBroadcast

/// The memory of both processes, as the limit of an extension counts it; `nil` if a process is gone or hidden.
package struct WatchMemory: Sendable {
  private let container: AppGroupContainer?

  /// - Parameter container: the container whose extension is measured; `nil` for a capture within the app.
  package init(container: AppGroupContainer?) { self.container = container }

  /// The written memory of this process in bytes.
  var app: UInt64? { Self.anonymousBytes(of: nil) }

  /// The written memory of the extension's process in bytes.
  var `extension`: UInt64? {
    guard let container else { return nil }
    do {
      for path in [container.producerLockFile, container.extensionLockFile] {
        if case .alive(let pid) = try ProducerLock.holder(at: path), pid > 0 {
          return Self.anonymousBytes(of: pid)
        }
      }
    } catch {
      // The watch reports a container that cannot be read.
    }
    return nil
  }

  private static func anonymousBytes(of pid: Int32?) -> UInt64? {
    // A process may exit at any time.
    do { return try ProcessMemory.of(pid).anonymous } catch { return nil }
  }
}
