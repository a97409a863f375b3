import Dispatch
import Foundation
import Platform
import Synchronization

/// The settings of an extension: what it shares, and how large its screen is.
public struct BroadcastConfiguration: Sendable {
  /// The container shared with the app.
  public var container: AppGroupContainer
  /// The width of the screen, in pixels. The memory of the frames is reserved for it before the first frame.
  public var screenWidth: Int
  /// The height of the screen, in pixels.
  public var screenHeight: Int
  /// The slots of the frame ring, 2…8. Each more gives slow readers one more frame period and costs the memory of a frame.
  public var slotCount: Int
  /// The layout of the frames in the file; the app must read the same.
  public var layout: BroadcastLayout
  /// Whether a broadcast that the app stops ends without an error, and so without the system's dialog. The article ends it
  /// with an error, which is the default.
  public var completesGracefully: Bool
  /// The timer that polls the status.
  public var statusTimer: any RepeatingTimer
  /// The clock of the frames' publish times.
  public var clock: any MonotonicClock
  /// Receives problems that do not end the broadcast, on any thread.
  public var report: @Sendable (String) -> Void

  /// The slots of a frame ring whose size nobody chose.
  public static let standardSlotCount = 3

  /// A configuration; by default a ring of ``standardSlotCount`` slots, a dispatch timer, and reports to the system's log.
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

  /// The configuration of a handler that is made with `SampleHandler()`, as the system makes its principal class.
  ///
  /// The emulated system sets it before it makes the handler. On a device, give your handler an `init()` that calls
  /// ``SampleHandler/init(configuration:)``, or set this before the handler is made.
  public static var standard: BroadcastConfiguration? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Mutex<BroadcastConfiguration?>(nil)
}
