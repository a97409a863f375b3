import EmulatedDevice
import Foundation

// Models the part of Foundation's NSProcessInfo.h that iOS has and Linux does not.

extension ProcessInfo {
  public enum ThermalState: Int, Sendable {
    case nominal, fair, serious, critical
  }

  public var thermalState: ThermalState {
    switch Device.current.state.thermal {
    case .nominal: .nominal
    case .fair: .fair
    case .serious: .serious
    case .critical: .critical
    }
  }
  public var isLowPowerModeEnabled: Bool { Device.current.state.isLowPower }

  /// Posted on a global queue.
  public static let thermalStateDidChangeNotification = NSNotification.Name(
    "NSProcessInfoThermalStateDidChangeNotification", whenChanged: { $0.thermal != $1.thermal })
}

extension NSNotification.Name {
  /// Posted on a global queue.
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name(
    "NSProcessInfoPowerStateDidChangeNotification", whenChanged: { $0.isLowPower != $1.isLowPower })

  /// Creates a notification that the process posts when a part of the device's state changes.
  fileprivate init(
    _ name: String,
    whenChanged isChanged: @escaping @Sendable (_ old: DeviceState, _ new: DeviceState) -> Bool
  ) {
    self.init(name)
    Device.whenChanged { [self] device, old, new in
      guard isChanged(old, new) else { return }
      device.post(self, from: ProcessInfo.processInfo, on: .global())
    }
  }
}
