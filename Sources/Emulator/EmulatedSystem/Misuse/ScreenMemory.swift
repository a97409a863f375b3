import CoreVideo
import Platform
import Synchronization

/// The memory of one of the screen's pixel buffers. It belongs to the system: it counts for no footprint, and it may
/// be protected while it is not locked, so that an access that is not allowed is noticed.
final class ScreenMemory: PixelAccessObserver {
  private enum Owner { case system, handler }

  private let pages: GuardedPages
  private let isProtected: Bool
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let state = Mutex(State())

  private struct State {
    /// The side that may access the pixels; `nil` while the frame waits.
    var owner: Owner?
    var isLocked = false
    /// Whether the handler got the address without a lock.
    var isExposed = false
    var isAccessible = false
    var touches: UInt = 0
  }

  /// Memory of at least `byteCount` bytes.
  ///
  /// - Parameters:
  ///   - isProtected: whether the pages are protected while they are not locked, which takes about 0.2 ms for each
  ///     frame of a phone's size. Otherwise only accesses through Core Video's functions are noticed.
  ///   - onMisuse: called on the thread of the misuse.
  init(
    byteCount: Int, isProtected: Bool, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(SystemError) {
    pages = try GuardedPages(byteCount: byteCount)
    self.isProtected = isProtected
    self.onMisuse = onMisuse
    if isProtected { pages.protect() }
  }

  /// The first byte, valid for the lifetime of this object.
  var base: UnsafeMutableRawPointer { unsafe pages.base }

  /// Calls `draw`, in which the system draws a frame; then the frame waits. Any access since the last change of owner
  /// came after the handler had returned.
  func whileDrawing<Result, Failure>(_ draw: () throws(Failure) -> Result) throws(Failure) -> Result {
    change(owner: .system, blamingTouchesOn: .afterReturn)
    defer { change(owner: nil, blamingTouchesOn: nil) }
    return try draw()
  }

  /// `processSampleBuffer(_:with:)` begins.
  func willDeliver() { change(owner: .handler, blamingTouchesOn: .afterReturn) }

  /// `processSampleBuffer(_:with:)` has returned.
  func didDeliver() {
    change(owner: nil, blamingTouchesOn: .unlocked)
    if state.withLock({ $0.isLocked }) { onMisuse?(.leftLocked) }
  }

  func willLock() {
    let owner = state.withLock { state in
      state.isLocked = true
      update(&state)
      return state.owner
    }
    if owner == nil { onMisuse?(.afterReturn) }
  }

  func didUnlock() {
    state.withLock { state in
      state.isLocked = false
      update(&state)
    }
  }

  func wasAccessedUnlocked() {
    let owner = state.withLock { state in
      // This is reported below. A system call would fail with protected pages, and succeeds on a device.
      state.isExposed = state.owner == .handler
      update(&state)
      return state.owner
    }
    onMisuse?(owner == .handler ? .unlocked : .afterReturn)
  }

  private func change(owner: Owner?, blamingTouchesOn misuse: HandlerMisuse?) {
    let isTouched = state.withLock { state in
      let touches = pages.touches
      defer { state.touches = touches }
      // A touch ends the protection.
      if touches != state.touches { state.isAccessible = true }
      state.owner = owner
      state.isExposed = false
      update(&state)
      return touches != state.touches
    }
    if isTouched, let misuse { onMisuse?(misuse) }
  }

  /// Protects or unprotects the pages if they are not as the state demands. The system may always access them.
  private func update(_ state: inout State) {
    let shouldBeAccessible = state.isLocked || state.isExposed || state.owner == .system
    guard isProtected, shouldBeAccessible != state.isAccessible else { return }
    state.isAccessible = shouldBeAccessible
    if shouldBeAccessible { pages.unprotect() } else { pages.protect() }
  }
}
