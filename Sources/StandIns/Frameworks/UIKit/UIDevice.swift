import EmulatedDevice
import Foundation
import Synchronization

/// The emulated device of the current call. It is plugged in. May be read on any thread.
public final class UIDevice: Sendable {
  public static var current: UIDevice { Device.current.object { UIDevice($0) } }

  private weak let device: Device?
  private let isMonitored = Atomic(false)

  private init(_ device: Device) { self.device = device }

  private var identity: Device.Identity { (device ?? .current).identity }

  /// Always the model here. Since iOS 16, an app without a special entitlement does not receive the person's device name either.
  public var name: String { model }
  public var model: String { identity.profile.isTablet ? "iPad" : "iPhone" }
  public var localizedModel: String { model }
  public var systemName: String {
    identity.profile.isTablet && identity.ios.major >= 15 ? "iPadOS" : "iOS"
  }
  public var systemVersion: String { identity.ios.text }
  public var userInterfaceIdiom: UIUserInterfaceIdiom { identity.profile.isTablet ? .pad : .phone }
  /// Fixed: equal in every process and run.
  public let identifierForVendor = UUID(uuidString: "B0ADCA57-0000-4000-8000-000000000001")

  public enum BatteryState: Int, Sendable {
    case unknown, unplugged, charging, full
  }

  public var isBatteryMonitoringEnabled: Bool {
    get { isMonitored.load(ordering: .relaxed) }
    // Relaxed: the flag protects no other memory.
    set { isMonitored.store(newValue, ordering: .relaxed) }
  }
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? 1 : -1 }
  public var batteryState: BatteryState { isBatteryMonitoringEnabled ? .full : .unknown }

  /// Not posted here.
  public static let batteryLevelDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Not posted here.
  public static let batteryStateDidChangeNotification = NSNotification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1, phone, pad, tv, carPlay, mac = 5
}
