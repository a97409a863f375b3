import Synchronization

// Models the battery and the idiom of UIKit's UIDevice.h. The emulated phone is plugged in.

private let isMonitored = Atomic(false)

extension UIDevice {
  /// The state of the battery.
  public enum BatteryState: Int, Sendable {
    /// Not known, or not monitored.
    case unknown
    /// Not plugged in.
    case unplugged
    /// Plugged in, and not full.
    case charging
    /// Plugged in, and full.
    case full
  }

  /// Whether level and state can be read.
  public var isBatteryMonitoringEnabled: Bool {
    get { isMonitored.load(ordering: .relaxed) }
    // Relaxed: the flag protects no other memory.
    set { isMonitored.store(newValue, ordering: .relaxed) }
  }
  /// The charge, from 0 to 1: full; -1 while it is not monitored.
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? 1 : -1 }
  /// The state: full; `unknown` while it is not monitored.
  public var batteryState: BatteryState { isBatteryMonitoringEnabled ? .full : .unknown }
  /// The kind of interface: of a phone.
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }

  /// Posted when the level changes, which does not happen here.
  public static let batteryLevelDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Posted when the state changes, which does not happen here.
  public static let batteryStateDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}

/// The kind of interface of a device.
public enum UIUserInterfaceIdiom: Int, Sendable {
  /// Not known.
  case unspecified = -1
  /// A phone.
  case phone
  /// A tablet.
  case pad
  /// A television.
  case tv
  /// A car.
  case carPlay
  /// A Mac.
  case mac = 5
}
