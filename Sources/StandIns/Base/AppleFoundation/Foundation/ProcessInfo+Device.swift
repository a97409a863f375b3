import EmulatedDevice
import Foundation
import Synchronization

// Models the part of Foundation's NSProcessInfo.h that iOS has and Linux does not.

extension ProcessInfo {
  public enum ThermalState: Int, Sendable {
    case nominal, fair, serious, critical
  }

  public var thermalState: ThermalState {
    Device.current.object { _ in ThermalReads() }.wasRead.store(true, ordering: .relaxed)
    return switch Device.current.state.thermal {
    case .nominal: .nominal
    case .fair: .fair
    case .serious: .serious
    case .critical: .critical
    }
  }
  public var isLowPowerModeEnabled: Bool { Device.current.state.isLowPower }

  /// Posted on a global queue, to a process that has read ``thermalState``.
  public static let thermalStateDidChangeNotification = NSNotification.Name(
    "NSProcessInfoThermalStateDidChangeNotification",
    whenChanged: { device, old, new in
      old.thermal != new.thermal && device.object { _ in ThermalReads() }.wasRead.load(ordering: .relaxed)
    })
}

/// Whether the process of a device has read the thermal state.
private final class ThermalReads: Sendable {
  let wasRead = Atomic(false)
}

extension NSNotification.Name {
  /// Posted on a global queue.
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name(
    "NSProcessInfoPowerStateDidChangeNotification", whenChanged: { $1.isLowPower != $2.isLowPower })

  /// Creates a notification that the process posts when a part of the device's state changes.
  fileprivate init(
    _ name: String,
    whenChanged isChanged: @escaping @Sendable (Device, _ old: DeviceState, _ new: DeviceState) -> Bool
  ) {
    self.init(name)
    Device.whenChanged { [self] device, old, new in
      guard isChanged(device, old, new) else { return }
      device.post(self, from: ProcessInfo.processInfo, on: .global())
    }
  }
}
