import Dispatch
import Foundation
import Platform
import Synchronization

/// The settings of an extension, such as its container and the size of its screen.
public struct BroadcastConfiguration: Sendable {
  /// The container shared with the app.
  public var container: AppGroupContainer
  /// The width of the screen in pixels. The memory for frames of this size is reserved before the first frame.
  public var screenWidth: Int
  /// The height of the screen in pixels.
  public var screenHeight: Int
  /// The number of slots of the frame ring (2…8). Each additional slot gives slow readers one more frame period, and costs the
  /// memory of a frame.
  public var slotCount: Int
  /// The layout of the frames in the file. The app must use the same layout.
  public var layout: BroadcastLayout
  /// Whether a broadcast that the app stops ends without an error, and therefore without the system's dialog (default: `false`,
  /// as in the article).
  public var completesGracefully: Bool
  /// The timer that polls the status.
  public var statusTimer: any RepeatingTimer
  /// The clock for the publish times of frames.
  public var clock: any MonotonicClock
  /// Receives problems that do not end the broadcast, on any thread.
  public var report: @Sendable (String) -> Void

  /// The default number of slots of a frame ring.
  public static let standardSlotCount = 3

  /// Creates a configuration. By default it has ``standardSlotCount`` slots, a dispatch timer, and reports to the system's log.
  public init(
    container: AppGroupContainer, screenWidth: Int, screenHeight: Int,
    slotCount: Int = standardSlotCount, layout: BroadcastLayout = .ring, completesGracefully: Bool = false,
    statusTimer: any RepeatingTimer = DispatchTimer(queue: DispatchQueue(label: "broadcast.status")),
    clock: any MonotonicClock = SystemClock(),
    report: @escaping @Sendable (String) -> Void = { NSLog("%@", $0) }
  ) {
    self.container = container
    self.screenWidth = screenWidth
    self.screenHeight = screenHeight
    self.slotCount = slotCount
    self.layout = layout
    self.completesGracefully = completesGracefully
    self.statusTimer = statusTimer
    self.clock = clock
    self.report = report
  }

  /// The configuration of a handler that is created with `SampleHandler()`, as the system creates its principal class.
  ///
  /// The emulated system sets it before it creates the handler. On a device, give your handler an `init()` that calls
  /// ``SampleHandler/init(configuration:)``, or set this property before the handler is created.
  public static var standard: BroadcastConfiguration? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex<BroadcastConfiguration?>(nil)
}
