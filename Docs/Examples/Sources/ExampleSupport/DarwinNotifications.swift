import Foundation
import ReplayKit

/// The Darwin notifications between an app and its extension. They carry a name and nothing else.
public final class DarwinNotifications {
  /// A name, as both sides write it.
  public enum Name: String {
    /// The extension has started, paused, resumed or finished the broadcast.
    case started, paused, resumed, finished
    /// The extension has received more frames, or written one where the app reads it.
    case framesReceived, frameWritten
    /// The app asks the extension to stop sharing, or to interrupt and continue it.
    case stopRequested, pauseRequested, resumeRequested

    fileprivate init?(_ name: CFNotificationName) {
      let text = name.rawValue as String
      guard text.hasPrefix(Self.prefix) else { return nil }
      self.init(rawValue: String(text.dropFirst(Self.prefix.count)))
    }

    fileprivate var full: CFString { (Self.prefix + rawValue) as CFString }

    private static let prefix = "com.example.screenshare."
  }

  private let center = CFNotificationCenterGetDarwinNotifyCenter()
  private var actions: [Name: () -> Void] = [:]

  /// Creates an object that observes until it is released.
  public init() {}

  deinit { CFNotificationCenterRemoveEveryObserver(center, Unmanaged.passUnretained(self).toOpaque()) }

  /// Posts a notification to all processes that observe its name.
  public static func post(_ name: Name) {
    CFNotificationCenterPostNotification(
      CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(rawValue: name.full), nil, nil, true)
  }

  /// Calls `action` on the main queue when any process posts `name`. Call on the main queue, once for a name.
  ///
  /// The callback of Core Foundation captures nothing; it finds its object by the observer's pointer.
  public func observe(_ name: Name, _ action: @escaping () -> Void) {
    actions[name] = action
    CFNotificationCenterAddObserver(
      center, Unmanaged.passUnretained(self).toOpaque(),
      { _, observer, name, _, _ in
        guard let observer, let name = name.flatMap(Name.init) else { return }
        Unmanaged<DarwinNotifications>.fromOpaque(observer).takeUnretainedValue().actions[name]?()
      }, name.full, nil, .deliverImmediately)
  }
}
