import EmulatedDevice
import Platform
import Synchronization

/// Calls on the main queue, whatever run loop is passed, 60 times a second or at the preferred rate. The calls come
/// from a timer, because an extension has no screen.
public final class CADisplayLink: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: the target is called on the main queue, as on iOS, and its user changes the settings there.

  private let target: AnyObject
  private let selector: Selector
  private let device = Device.current
  /// Counts the additions and removals, so it is odd while the link is added. Timer calls of an earlier addition do nothing.
  private let changes = Mutex(0)
  public var isPaused = false
  public var preferredFramesPerSecond = 0
  public private(set) var timestamp: CFTimeInterval = 0

  public init(target: Any, selector sel: Selector) { (self.target, selector) = (target as AnyObject, sel) }

  public var targetTimestamp: CFTimeInterval { timestamp + duration }
  public var duration: CFTimeInterval {
    1 / Double((1...60).contains(preferredFramesPerSecond) ? preferredFramesPerSecond : 60)
  }

  public func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
    let addition = changes.withLock { changes -> Int? in
      guard changes.isMultiple(of: 2) else { return nil }
      changes += 1
      return changes
    }
    if let addition { wait(addition) }
  }

  public func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) { invalidate() }

  public func invalidate() { changes.withLock { if !$0.isMultiple(of: 2) { $0 += 1 } } }

  private func wait(_ addition: Int) {
    device.runAfter(.seconds(duration)) { [self] in
      guard changes.withLock({ $0 == addition }) else { return }
      timestamp = Double(device.clock.now.nanoseconds) / 1e9
      if !isPaused { selector.call(target, self) }
      wait(addition)
    }
  }
}
