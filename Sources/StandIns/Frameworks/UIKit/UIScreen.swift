import EmulatedDevice
import Foundation
import Platform

/// The screen of the emulated device of the current call. May be read on any thread.
public final class UIScreen: Sendable {
  /// Not the size of an extension's samples: they state their own size.
  public static var main: UIScreen { Device.current.object { UIScreen($0) } }

  private weak let device: Device?

  private init(_ device: Device) { self.device = device }

  private var profile: DeviceProfile { (device ?? .current).profile }

  /// In portrait, whatever the orientation of the emulated device.
  public var bounds: CGRect { CGRect(x: 0, y: 0, width: profile.points.width, height: profile.points.height) }
  public var scale: CGFloat { CGFloat(profile.scale) }
  public var nativeBounds: CGRect {
    CGRect(x: 0, y: 0, width: profile.panel.width, height: profile.panel.height)
  }
  public var nativeScale: CGFloat { profile.nativeScale }

  /// Whether a broadcast, a recorder or a stream captures the screen. The value in an extension's process is not known:
  /// according to one report, it stayed `false` there.
  public var isCaptured: Bool { !Device.current.state.captures.isEmpty }

  public static let capturedDidChangeNotification: NSNotification.Name = {
    let name = NSNotification.Name("UIScreenCapturedDidChangeNotification")
    Device.whenChanged { device, old, new in
      guard old.captures.isEmpty != new.captures.isEmpty else { return }
      device.post(name, from: device.run { UIScreen.main })
    }
    return name
  }()
}
