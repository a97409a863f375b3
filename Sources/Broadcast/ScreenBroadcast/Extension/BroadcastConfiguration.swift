import Dispatch
import Foundation
import Synchronization

/// What an extension is built with: where it shares, and how large its screen is.
public struct BroadcastConfiguration: Sendable {
  /// The container shared with the app.
  public var container: AppGroupContainer
  /// The width of the screen, in pixels: the memory of the frames is reserved by it before the first one.
  public var screenWidth: Int
  /// The height of the screen, in pixels.
  public var screenHeight: Int
  /// The slots of the frame ring, 2…8. More give slow readers more time and cost a frame of memory each.
  public var slotCount: Int
  /// How the frames lie in the file; the app must read the same.
  public var layout: BroadcastLayout
  /// Whether a broadcast that the app stops ends without an error, and so without the system's dialog. The article ends it
  /// with an error, which is the default.
  public var completesGracefully: Bool
  /// What the status is polled with.
  public var statusTimer: any RepeatingTimer
  /// Where to say what went wrong and does not end the broadcast.
  public var report: @Sendable (String) -> Void

  /// A configuration; by default a ring of three slots, a dispatch timer, and reports to the system's log.
  public init(
    container: AppGroupContainer, screenWidth: Int, screenHeight: Int, slotCount: Int = 3,
    layout: BroadcastLayout = .ring, completesGracefully: Bool = false,
    statusTimer: any RepeatingTimer = DispatchTimer(queue: DispatchQueue(label: "broadcast.status")),
    report: @escaping @Sendable (String) -> Void = { NSLog("%@", $0) }
  ) {
    self.container = container
    self.screenWidth = screenWidth
    self.screenHeight = screenHeight
    self.slotCount = slotCount
    self.layout = layout
    self.completesGracefully = completesGracefully
    self.statusTimer = statusTimer
    self.report = report
  }

  /// What a handler made with `SampleHandler()` is configured with, as the system makes its principal class.
  ///
  /// The emulated system sets it before it makes the handler. On a device, give your handler an `init()` that calls
  /// ``SampleHandler/init(configuration:)``, or set this before the handler is made.
  public static var standard: BroadcastConfiguration? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex<BroadcastConfiguration?>(nil)
}
