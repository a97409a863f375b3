import Foundation
import Platform
import Synchronization

// Models what UIKit's UIScreen.h says of a screen that is captured.

extension UIScreen {
  /// Whether a broadcast of another process runs: in the app's process, whether that of its extension does.
  public var isCaptured: Bool { CaptureMonitor.isCaptured(below: AppGroupRoot.standard().path) }

  /// Posted on the main queue, at most half a second after the change.
  public static let capturedDidChangeNotification: NSNotification.Name = {
    CaptureMonitor.shared.start()
    return NSNotification.Name("UIScreenCapturedDidChangeNotification")
  }()
}

/// Watches the locks that extensions hold for their broadcasts.
private final class CaptureMonitor: Sendable {
  static let shared = CaptureMonitor()
  private let last = Mutex(false)

  func start() {
    last.withLock { $0 = UIScreen.main.isCaptured }
    watch()
  }

  private func watch() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) { [self] in
      let isCaptured = UIScreen.main.isCaptured
      let hasChanged = last.withLock { last in
        defer { last = isCaptured }
        return last != isCaptured
      }
      if hasChanged {
        NotificationCenter.default.post(name: UIScreen.capturedDidChangeNotification, object: UIScreen.main)
      }
      watch()
    }
  }

  static func isCaptured(below root: String) -> Bool {
    // Without a container nothing is captured.
    guard let groups = try? FileManager.default.contentsOfDirectory(atPath: root) else { return false }
    return groups.contains { group in
      ["producer.lock", "extension.lock"].contains { name in
        isLocked("\(root)/\(group)/Library/Caches/Broadcast/\(name)")
      }
    }
  }

  private static func isLocked(_ path: String) -> Bool {
    do { return try System.lengthOfLockElsewhere(PlainFile.open(path)) != nil } catch { return false }
  }
}
