import EmulatedDevice
import Platform
import Synchronization

/// Calls on the main queue, whatever the run loop is, 60 times a second or as often as is preferred. The extension has no
/// screen, so the calls are those of a timer.
public final class CADisplayLink: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: the target is called on the main queue, as on iOS.

  private struct State {
    var isAdded = false
    /// Of the calls that the device is to make: those of an earlier addition do nothing.
    var addition = 0
    var isPaused = false
    var rate = 0
    var timestamp = 0.0
  }

  private let target: AnyObject
  private let selector: Selector
  private let device = Device.current
  private let state = Mutex(State())

  public init(target: Any, selector sel: Selector) { (self.target, selector) = (target as AnyObject, sel) }

  public var isPaused: Bool {
    get { state.withLock(\.isPaused) }
    set { state.withLock { $0.isPaused = newValue } }
  }
  public var preferredFramesPerSecond: Int {
    get { state.withLock(\.rate) }
    set { state.withLock { $0.rate = newValue } }
  }
  public var timestamp: CFTimeInterval { state.withLock(\.timestamp) }
  public var targetTimestamp: CFTimeInterval { timestamp + duration }
  public var duration: CFTimeInterval {
    let rate = preferredFramesPerSecond
    return 1 / Double((1...60).contains(rate) ? rate : 60)
  }

  public func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
    let addition: Int? = state.withLock { state in
      guard !state.isAdded else { return nil }
      (state.isAdded, state.addition) = (true, state.addition + 1)
      return state.addition
    }
    if let addition { wait(addition) }
  }

  public func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) { invalidate() }

  public func invalidate() { state.withLock { $0.isAdded = false } }

  private func wait(_ addition: Int) {
    device.runAfter(.seconds(duration)) { [self] in
      let isCalled: Bool? = state.withLock { state in
        guard state.isAdded, state.addition == addition else { return nil }
        state.timestamp = Double(device.clock.now.nanoseconds) / 1e9
        return !state.isPaused
      }
      guard let isCalled else { return }
      if isCalled { selector.call(target, self) }
      wait(addition)
    }
  }
}
