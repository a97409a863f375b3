import CPlatform
import CoreVideo
import Platform
import Synchronization

/// The memory of one of the screen's pixel buffers. It belongs to the system: it is shared memory, which counts for no
/// footprint, and it may be protected while it is not locked, so that an access that is not allowed is noticed.
///
/// An access to protected memory is counted, ends the protection, and succeeds. A system call with an address in it, such
/// as `write`, fails with `EFAULT` and is not counted: the kernel raises no signal for it.
@safe
final class ScreenMemory: PixelAccessObserver {
  private enum Owner { case system, handler }

  /// The first byte, valid for the lifetime of this object.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The requested size, rounded up to whole pages.
  let byteCount: Int
  /// The place of the memory among those in which accesses are counted.
  private let ticket: Int32
  private let isProtected: Bool
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let state = Mutex(State())

  private struct State {
    /// The side that may access the pixels; `nil` while the frame waits.
    var owner: Owner?
    var isLocked = false
    /// Whether the handler got the address without a lock.
    var isExposed = false
    var isAccessible = true
    var touches: UInt32 = 0
  }

  /// Memory of zeros, for at least `byteCount` bytes.
  ///
  /// - Parameters:
  ///   - isProtected: whether the memory is protected while it is not locked, which takes about 0.2 ms for each
  ///     frame of a phone's size. Otherwise only accesses through Core Video's functions are noticed.
  ///   - onMisuse: called on the thread of the misuse.
  init(
    byteCount: Int, isProtected: Bool, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(SystemError) {
    (self.isProtected, self.onMisuse) = (isProtected, onMisuse)
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them, and the guard forgets them before.
    unsafe base = try System.mapShared(byteCount: size)
    ticket = unsafe memory_guard_add(GUARD_OF_PAGES, base, size)
    self.byteCount = size
    guard ticket >= 0 else {
      // The object is not complete yet, so no deinit runs.
      unsafe System.unmap(base, byteCount: size)
      throw SystemError(call: "sigaction", path: "SIGSEGV", errno: .noMemory)
    }
    _ = change { _ in }
  }

  deinit {
    memory_guard_remove(GUARD_OF_PAGES, ticket)
    // UNSAFE: the owner of this object no longer uses the pages.
    unsafe System.unmap(base, byteCount: byteCount)
  }

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
    if change({ $0.isLocked = true }) == nil { onMisuse?(.afterReturn) }
  }

  func didUnlock() { _ = change { $0.isLocked = false } }

  func wasAccessedUnlocked() {
    // The memory opens for the handler: a system call would fail with protected pages, and succeeds on a device.
    let owner = change { $0.isExposed = $0.owner == .handler }
    onMisuse?(owner == .handler ? .unlocked : .afterReturn)
  }

  private func change(owner: Owner?, blamingTouchesOn misuse: HandlerMisuse?) {
    var isTouched = false
    _ = change { state in
      let touches = memory_guard_count(GUARD_OF_PAGES, ticket)
      isTouched = touches != state.touches
      // A touch ends the protection.
      if isTouched { state.isAccessible = true }
      (state.touches, state.owner, state.isExposed) = (touches, owner, false)
    }
    if isTouched, let misuse { onMisuse?(misuse) }
  }

  /// Changes the state, and protects or unprotects the pages as it demands. The system may always access them. Returns
  /// the owner.
  private func change(_ body: (inout State) -> Void) -> Owner? {
    state.withLock { state in
      body(&state)
      let isAccessible = state.isLocked || state.isExposed || state.owner == .system
      if isProtected, isAccessible != state.isAccessible {
        state.isAccessible = isAccessible
        // UNSAFE: all of this object's own pages.
        unsafe System.protect(base, byteCount: byteCount, isOpen: isAccessible)
      }
      return state.owner
    }
  }
}
