import Foundation

// What Foundation's NSProcessInfo.h has on iOS: the emulated device is cool and has power.

extension ProcessInfo {
  /// How hot the device is.
  public enum ThermalState: Int, Sendable {
    /// Not hot.
    case nominal
    /// Warmer.
    case fair
    /// Hot: the system does less.
    case serious
    /// Very hot: the system needs each process to do less.
    case critical
  }

  /// How hot the device is: `nominal`.
  public var thermalState: ThermalState { .nominal }
  /// Whether the person saves power: `false`.
  public var isLowPowerModeEnabled: Bool { false }
  /// Posted when ``thermalState`` changes, which does not happen here.
  public static let thermalStateDidChangeNotification = NSNotification.Name(
    "NSProcessInfoThermalStateDidChangeNotification")
}

extension NSNotification.Name {
  /// Posted when the power mode changes, which does not happen here.
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name(
    "NSProcessInfoPowerStateDidChangeNotification")
}
