import Foundation

// Names that an extension may not use, and names that the emulator lacks. The error of the compiler says what to use instead.

extension UIApplication {
  @available(*, unavailable, message: "An extension has no application: post a notification to the app.")
  public static var shared: UIApplication { UIApplication() }
}

extension UIDevice {
  @available(*, unavailable, message: "A sample has its orientation: read RPVideoSampleOrientationKey.")
  public var orientation: UIDeviceOrientation { .unknown }
}

extension UIImage {
  @available(*, unavailable, message: "The emulator encodes JPEG only: use jpegData.")
  public func pngData() -> Data? { nil }
}

public enum UIDeviceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}
