import CoreVideo
import Platform
import SharedMemory
import Synchronization

/// The memory of one of the screen's pixel buffers. It is the system's: it counts for nobody's footprint, and it may be
/// closed whenever nobody has it locked, so that who comes to it by a way that is not allowed is noticed.
final class ScreenMemory: PixelAccessObserver {
  /// Who may reach the pixels.
  enum Holder { case system, nobody, handler }

  private let pages: GuardedPages
  private let closes: Bool
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let state = Mutex(State())

  private struct State {
    var holder = Holder.nobody
    var isLocked = false
    /// Whether the handler got the address without a lock.
    var isGivenUnlocked = false
    var isOpen = false
    var touches: UInt = 0
  }

  /// Memory of at least `byteCount` bytes.
  ///
  /// - Parameters:
  ///   - closes: whether it is closed while nobody has it locked, for some 0.2 ms a frame of a telephone's size. Without,
  ///     only what is done by Core Video's calls is noticed.
  ///   - onMisuse: called on whatever thread it happens.
  init(
    byteCount: Int, closes: Bool, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(SystemError) {
    pages = try GuardedPages(byteCount: byteCount)
    self.closes = closes
    self.onMisuse = onMisuse
    if closes { pages.close() }
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
      update(&state)
      return state.holder
    }
    if holder == .nobody { onMisuse?(.afterReturn) }
  }

  func didClose() {
    state.withLock { state in
      state.isLocked = false
      update(&state)
    }
  }

  func wasAskedUnlocked() {
    let holder = state.withLock { state in
      // It is told already. A handler that hands the address to a system call goes on as on a device: the kernel would
      // refuse closed pages.
      state.isGivenUnlocked = state.holder == .handler
      update(&state)
      return state.holder
    }
    onMisuse?(holder == .handler ? .unlocked : .afterReturn)
  }

  private func hand(to holder: Holder, blamingTouchesOn misuse: HandlerMisuse?) {
    let isTouched = state.withLock { state in
      let touches = pages.touches
      defer { state.touches = touches }
      // A touch opens the pages.
      if touches != state.touches { state.isOpen = true }
      state.holder = holder
      state.isGivenUnlocked = false
      update(&state)
      return touches != state.touches
    }
    if isTouched, let misuse { onMisuse?(misuse) }
  }

  /// Opens or closes the pages, if they are not as they should be. The system has them open all the while it draws.
  private func update(_ state: inout State) {
    let shouldBeOpen = state.isLocked || state.isGivenUnlocked || state.holder == .system
    guard closes, shouldBeOpen != state.isOpen else { return }
    state.isOpen = shouldBeOpen
    if shouldBeOpen { pages.open() } else { pages.close() }
  }
}
