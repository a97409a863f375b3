import CoreVideo
import SharedMemory
import Synchronization

/// The memory of one of the screen's pixel buffers. It is the system's: it counts for nobody's footprint, and is closed
/// whenever nobody has it locked, so that who comes to it by a way that is not allowed is noticed.
final class ScreenMemory: PixelAccessObserver {
  /// Who may reach the pixels.
  enum Holder { case system, nobody, handler }

  private let pages: GuardedPages
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let state = Mutex(State())

  private struct State {
    var holder = Holder.nobody
    var isLocked = false
    var touches: UInt = 0
  }

  /// Memory of at least `byteCount` bytes. `onMisuse` is called on whatever thread it happens; without it the memory
  /// is always open.
  init(byteCount: Int, onMisuse: (@Sendable (HandlerMisuse) -> Void)?) throws(SystemError) {
    pages = try GuardedPages(byteCount: byteCount)
    self.onMisuse = onMisuse
    close()
  }

  /// Where it begins.
  var base: UnsafeMutableRawPointer { unsafe pages.base }

  /// The system has it, to draw. What was touched since the last look was touched after the handler had returned.
  func takeForDrawing() { hand(to: .system, blamingTouchesOn: .afterReturn) }

  /// The picture is drawn, and waits.
  func putAside() { hand(to: .nobody, blamingTouchesOn: nil) }

  /// The handler has it, while `processSampleBuffer(_:with:)` runs.
  func lend() { hand(to: .handler, blamingTouchesOn: .afterReturn) }

  /// The handler has returned.
  func takeBack() {
    hand(to: .nobody, blamingTouchesOn: .unlocked)
    if state.withLock({ $0.isLocked }) { onMisuse?(.leftLocked) }
  }

  func willOpen() {
    let holder = state.withLock { state in
      state.isLocked = true
      if onMisuse != nil { pages.open() }
      return state.holder
    }
    if holder == .nobody { onMisuse?(.afterReturn) }
  }

  func didClose() {
    state.withLock { state in
      state.isLocked = false
      close()
    }
  }

  func wasAskedUnlocked() {
    let holder = state.withLock { $0.holder }
    onMisuse?(holder == .handler ? .unlocked : .afterReturn)
  }

  private func hand(to holder: Holder, blamingTouchesOn misuse: HandlerMisuse?) {
    let isTouched = state.withLock { state in
      state.holder = holder
      let touches = pages.touches
      defer { state.touches = touches }
      guard touches != state.touches else { return false }
      // A touch opened it.
      if !state.isLocked { close() }
      return true
    }
    if isTouched, let misuse { onMisuse?(misuse) }
  }

  private func close() {
    if onMisuse != nil { pages.close() }
  }
}
