import Synchronization

// Models the battery and the idiom of UIKit's UIDevice.h. The emulated phone is plugged in.

private let isMonitored = Atomic(false)

extension UIDevice {
  public enum BatteryState: Int, Sendable {
    case unknown
    case unplugged
    case charging
    case full
  }

  public var isBatteryMonitoringEnabled: Bool {
    get { isMonitored.load(ordering: .relaxed) }
    // Relaxed: the flag protects no other memory.
    set { isMonitored.store(newValue, ordering: .relaxed) }
  }
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? 1 : -1 }
  public var batteryState: BatteryState { isBatteryMonitoringEnabled ? .full : .unknown }
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }

  /// Not posted here.
  public static let batteryLevelDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Not posted here.
  public static let batteryStateDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone
  case pad
  case tv
  case carPlay
  case mac = 5
}
