import Foundation

/// The device. Models the class of UIKit's UIDevice.h.
/// Readable from any thread.
public final class UIDevice: Sendable {
  /// This device.
  public static let current = UIDevice()

  /// The device's name.
  public let name = "Broadcast Emulator"
  /// The kind of device.
  public let model = "iPhone"
  /// The name of the operating system.
  public let systemName = "iOS"
  /// The version of the operating system.
  public let systemVersion = "18.0"
  /// An identifier of the app on this device.
  public let identifierForVendor: UUID? = UUID()
}

/// A screen. Models the class of UIKit's UIScreen.h.
/// Readable from any thread.
public final class UIScreen: Sendable {
  /// The device's screen. An extension's samples state their own size.
  public static let main = UIScreen()

  /// The rectangle of the screen, in points: of a phone of 1170 × 2532 pixels.
  public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
  /// The pixels of a point.
  public let scale: CGFloat = 3
  /// The rectangle of the screen, in pixels.
  public let nativeBounds = CGRect(x: 0, y: 0, width: 1170, height: 2532)
  /// The pixels of a point.
  public let nativeScale: CGFloat = 3
}
