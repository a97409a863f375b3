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
  /// The identifier of this device for the apps of one vendor: the same in each process and each run.
  public let identifierForVendor = UUID(uuidString: "B0ADCA57-0000-4000-8000-000000000001")
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
