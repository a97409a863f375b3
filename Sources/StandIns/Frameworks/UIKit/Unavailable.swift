import Foundation

// Names that an extension may not use, and names that the emulator lacks. The error of the compiler says what to use instead.

extension UIApplication {
  @available(
    *, unavailable, message: "Neither an extension nor an app here has an application: use notifications."
  )
  public static var shared: UIApplication { UIApplication() }
  public var isIdleTimerDisabled: Bool {
    get { false }
    set {}
  }
  public var applicationState: State { .active }
  public enum State: Int, Sendable { case active, inactive, background }
  public func open(_ url: URL, options: [String: Any] = [:], completionHandler: ((Bool) -> Void)? = nil) {}
  public func canOpenURL(_ url: URL) -> Bool { false }
  public func beginBackgroundTask(withName name: String? = nil, expirationHandler: (() -> Void)? = nil) -> Int
  { 0 }
  public func endBackgroundTask(_ identifier: Int) {}
}

extension UIDevice {
  @available(*, unavailable, message: "A sample has its orientation: read RPVideoSampleOrientationKey.")
  public var orientation: UIDeviceOrientation { .unknown }
  @available(*, unavailable, message: "A sample has its orientation: read RPVideoSampleOrientationKey.")
  public func beginGeneratingDeviceOrientationNotifications() {}
  @available(*, unavailable, message: "A sample has its orientation: read RPVideoSampleOrientationKey.")
  public func endGeneratingDeviceOrientationNotifications() {}
  @available(*, unavailable, message: "A sample has its orientation: read RPVideoSampleOrientationKey.")
  public static var orientationDidChangeNotification: NSNotification.Name { .init("") }
}

extension UIImage {
  @available(*, unavailable, message: "The emulator encodes JPEG only: use jpegData.")
  public func pngData() -> Data? { nil }
}

public enum UIDeviceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown

  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
}
